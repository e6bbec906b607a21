// Runs a scene in place of its picture when the reader asks for it. From then on, the scenes of other pages start at once: the
// browser has the program.
for (const link of document.querySelectorAll(".scene > a")) {
  const run = () => {
    const frame = document.createElement("iframe");
    frame.src = link.href;
    frame.title = link.querySelector("img").alt;
    link.replaceWith(frame);
  };
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    sessionStorage.setItem("scenes", "run");
    run();
  });
  if (sessionStorage.getItem("scenes") === "run") run();
}
