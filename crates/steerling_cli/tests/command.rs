//! The command as a user calls it: its output, files and exit status.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SEEK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/seek.json");
const HUNTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/hunter_prey.json");
const SEEK_TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/traces/seek.json");
const ARRIVE_TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/traces/arrive.json");

fn steerling<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_steerling")).args(args).output().expect("the command starts")
}

#[track_caller]
fn assert_status(output: &Output, status: i32) {
    assert_eq!(output.status.code(), Some(status), "{}{}", stdout(output), stderr(output));
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder for one test.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_run_prints_a_summary() {
    let output = steerling(&["run", SEEK, "--ticks", "30"]);
    assert_status(&output, 0);
    let text = stdout(&output);
    for part in ["seek", "agents               3", "30 of 0.0166", "collisions", "state hash"] {
        assert!(text.contains(part), "expected `{part}` in:\n{text}");
    }
    assert!(stderr(&output).is_empty());
}

#[test]
fn the_trace_has_a_row_per_agent_and_every_kth_tick_from_the_start() {
    let folder = folder();
    let trace = folder.path().join("out.csv");
    let args = ["run", SEEK, "--ticks", "10", "--every", "5", "--trace", trace.to_str().unwrap()];
    assert_status(&steerling(&args), 0);
    let text = fs::read_to_string(&trace).unwrap();
    let rows: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(rows[0], "tick,time,id,x,y,vx,vy");
    assert_eq!(rows[1], "0,0,mass 1,-420,160,0,0");
    let ticks_and_ids: Vec<String> = rows[1..10]
        .iter()
        .map(|row| {
            let fields: Vec<&str> = row.split(',').collect();
            format!("{} {}", fields[0], fields[2])
        })
        .collect();
    let expected: Vec<String> =
        [0, 5, 10].iter().flat_map(|tick| ["mass 1", "mass 2", "mass 5"].map(|id| format!("{tick} {id}"))).collect();
    assert_eq!(ticks_and_ids, expected);
    assert_eq!(rows[10..], [""]);
}

#[test]
fn why_has_a_row_for_each_behavior_at_every_kth_tick() {
    let folder = folder();
    let (why, trace) = (folder.path().join("why.csv"), folder.path().join("trace.csv"));
    let args = ["run", HUNTERS, "--ticks", "20", "--every", "10", "--why", why.to_str().unwrap()];
    let output = steerling(&args);
    assert_status(&output, 0);
    let text = fs::read_to_string(&why).unwrap();
    let rows: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(rows[0], "tick,time,id,behavior,raw_x,raw_y,weighted_x,weighted_y,applied_x,applied_y,outcome");
    assert!(rows[1].starts_with("10,0.16666666666666666,left hunter,pursue,"), "{}", rows[1]);
    for agent in ["left prey 0,separation,", "left prey 0,evade,", "left prey 0,wander,", "right hunter,pursue,"] {
        let of_agent = rows.iter().filter(|row| row.contains(agent)).count();
        assert_eq!(of_agent, 2, "{agent}");
    }

    // The motion is the same without `--why` and together with a trace.
    let with_trace = [&args[..], &["--trace", trace.to_str().unwrap()]].concat();
    assert_status(&steerling(&with_trace), 0);
    assert_eq!(fs::read_to_string(&why).unwrap(), text);
    assert!(fs::read_to_string(&trace).unwrap().starts_with("tick,time,id,x,y"));
    let hash = |output: &Output| stdout(output).lines().find(|line| line.starts_with("state hash")).map(str::to_owned);
    assert_eq!(hash(&output), hash(&steerling(&["run", HUNTERS, "--ticks", "20"])));
}

#[test]
fn ids_are_quoted_where_csv_needs_it() {
    let folder = folder();
    let scenario =
        write(folder.path(), "s.json", r#"{"ticks": 0, "agents": [{"id": "a \"b\", c", "position": [0, 0]}]}"#);
    let trace = folder.path().join("out.csv");
    let output = steerling(&[Path::new("run"), &scenario, Path::new("--trace"), &trace]);
    assert_status(&output, 0);
    assert_eq!(fs::read_to_string(&trace).unwrap(), "tick,time,id,x,y,vx,vy\r\n0,0,\"a \"\"b\"\", c\",0,0,0,0\r\n");
}

#[test]
fn the_summary_measures_collisions_goals_and_effort() {
    let folder = folder();
    // Two meet head-on in the middle, where the goal of one of them is; a third goes on undisturbed.
    let scenario = write(
        folder.path(),
        "meeting.json",
        r#"{"tick": 0.1, "ticks": 100, "agents": [
            {"id": "a", "position": [-10, 0], "velocity": [1, 0], "radius": 1, "goal": {"position": [0, 0], "radius": 0.05}},
            {"id": "b", "position": [10, 0], "velocity": [-1, 0], "radius": 0.5, "goal": {"position": [0, 50], "radius": 1}},
            {"id": "c", "position": [0, 90], "velocity": [0, 2], "radius": 1}
        ]}"#,
    );
    let summary = folder.path().join("summary.json");
    let output = steerling(&[Path::new("run"), &scenario, Path::new("--summary"), &summary]);
    assert_status(&output, 0);
    let summary: serde_json::Value = serde_json::from_str(&fs::read_to_string(&summary).unwrap()).unwrap();
    assert_eq!(summary["name"], "meeting");
    assert_eq!((&summary["agents"], &summary["ticks"], &summary["tick"]), (&3.into(), &100.into(), &0.1.into()));
    let collisions = &summary["collisions"];
    assert_eq!(collisions["unique"], 1);
    // They touch at distances below 1.5 and approach at 2 units/s: a little more than the last 0.75 s.
    let agent_ticks = collisions["agent_ticks"].as_u64().unwrap();
    assert!((14..=16).contains(&agent_ticks), "{agent_ticks}");
    assert!((collisions["max_depth"].as_f64().unwrap() - 1.5).abs() < 0.01);
    assert_eq!(collisions["with_obstacles"]["unique"], 0);
    let goals = &summary["goals"];
    assert_eq!((&goals["reached"], &goals["of"]), (&1.into(), &2.into()));
    assert!((goals["mean_time"].as_f64().unwrap() - 10.0).abs() < 0.1);
    assert_eq!(goals["mean_time"], goals["last_time"]);
    assert!((summary["path_length"].as_f64().unwrap() - 40.0 / 3.0).abs() < 1e-4);
    assert!((summary["speed"].as_f64().unwrap() - 4.0 / 3.0).abs() < 1e-5);
    assert_eq!(summary["effort"], 0.0);
    assert_eq!(summary["respawns"], 0);
    assert_eq!(summary["events"]["arrived"], 0);
    let hash = summary["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    assert!(summary["ns_per_agent_tick"].as_f64().unwrap() > 0.0);
}

#[test]
fn collisions_with_obstacles_have_a_line_where_there_are_any_obstacles() {
    assert!(!stdout(&steerling(&["run", SEEK, "--ticks", "1"])).contains("with obstacles"));
    let folder = folder();
    let scenario = write(
        folder.path(),
        "wall.json",
        r#"{"ticks": 5, "obstacles": [{"segment": {"start": [-9, 2], "end": [9, 2]}}],
            "agents": [{"id": "a", "position": [0, 0], "radius": 3}]}"#,
    );
    let text = stdout(&steerling(&[Path::new("run"), &scenario]));
    assert!(
        text.contains("collisions           none\n… with obstacles     1, 5 agent-ticks in overlap, deepest 1.000\n")
    );
}

#[test]
fn each_gate_has_a_line() {
    let folder = folder();
    let scenario = write(
        folder.path(),
        "gates.json",
        r#"{"tick": 0.1, "ticks": 50, "gates": [
                {"id": "exit", "start": [2, -1], "end": [2, 1], "remove": true}, {"id": "never", "start": [0, 5], "end": [1, 5]}],
            "agents": [{"id": "a", "position": [0.1, 0], "velocity": [2, 0]}, {"id": "b", "position": [-1.1, 0], "velocity": [2, 0]},
                       {"id": "c", "position": [-9, 0]}]}"#,
    );
    let summary = folder.path().join("summary.json");
    let output = steerling(&[Path::new("run"), &scenario, Path::new("--summary"), &summary]);
    assert_status(&output, 0);
    for line in [
        "gate                 exit: 2 crossed from 0.950 s to 1.550 s, flow –, longest gap 0.950 s, order 1.000\n",
        "gate                 never: 0 crossed from – to –, flow –, longest gap 1.600 s, order –\n",
    ] {
        assert!(stdout(&output).contains(line), "expected `{line}` in:\n{}", stdout(&output));
    }
    let summary: serde_json::Value = serde_json::from_str(&fs::read_to_string(&summary).unwrap()).unwrap();
    let exit = &summary["gates"][0];
    assert_eq!((&exit["id"], &exit["crossings"]), (&"exit".into(), &2.into()));
    assert!((exit["last"].as_f64().unwrap() - 1.55).abs() < 1e-6 && exit["flow"].is_null());
    // Gates remove agents in the benchmark too.
    assert_status(&steerling(&[Path::new("bench"), &scenario, Path::new("--repeat"), Path::new("1")]), 0);
}

#[test]
fn what_was_not_measured_is_null() {
    let folder = folder();
    let scenario = write(folder.path(), "empty.json", "{}");
    let summary = folder.path().join("summary.json");
    assert_status(&steerling(&[Path::new("run"), &scenario, Path::new("--summary"), &summary]), 0);
    let summary: serde_json::Value = serde_json::from_str(&fs::read_to_string(&summary).unwrap()).unwrap();
    for field in ["path_length", "effort", "speed", "ns_per_agent_tick"] {
        assert!(summary[field].is_null(), "{field}");
    }
    assert!(summary["goals"]["mean_time"].is_null() && summary["goals"]["last_time"].is_null());
    assert_eq!(summary["ticks"], 600);
}

#[test]
fn the_seed_and_nothing_else_changes_the_motion() {
    let wander = SEEK.replace("seek.json", "wander.json");
    let hash = |extra: &[&str]| {
        let output = steerling(&[&["run", &wander, "--ticks", "60"], extra].concat());
        assert_status(&output, 0);
        stdout(&output).lines().find(|line| line.starts_with("state hash")).unwrap().to_owned()
    };
    assert_eq!(hash(&[]), hash(&["--threads", "2"]));
    assert_eq!(hash(&[]), hash(&["--threads", "1", "--seed", "7"]), "7 is the file's own");
    assert_ne!(hash(&[]), hash(&["--seed", "8"]));
}

/// Places are random, so a crowd may fit with one seed but not with another. Only the seed in use counts.
#[test]
fn the_seed_decides_whether_a_tight_crowd_fits() {
    let folder = folder();
    let crowd = r#"{"prefix": "w", "count": 6, "spacing": 4, "area": {"min": [0, 0], "max": [8, 8]}, "agent": {}}"#;
    let file = |seed: u64| {
        write(folder.path(), "tight.json", &format!(r#"{{"ticks": 1, "seed": {seed}, "crowds": [{crowd}]}}"#))
    };
    let fits = |args: &[&str]| match steerling(&[&["run"], args].concat()).status.code() {
        Some(0) => true,
        Some(2) => false,
        status => panic!("{status:?}"),
    };
    let (lucky, unlucky): (Vec<u64>, Vec<u64>) = (0..30).partition(|&seed| fits(&[file(seed).to_str().unwrap()]));
    let other = |own: u64, given: u64| fits(&[file(own).to_str().unwrap(), "--seed", &given.to_string()]);
    assert!(other(unlucky[0], lucky[0]));
    assert!(!other(lucky[0], unlucky[0]));
}

#[test]
fn a_wrapped_scenario_runs_too() {
    let output = steerling(&["run", SEEK_TRACE]);
    assert_status(&output, 0);
    assert!(stdout(&output).contains("120 of 1 s"));
}

#[test]
fn checks_say_what_agrees_and_what_does_not() {
    let output = steerling(&["check", SEEK_TRACE, ARRIVE_TRACE]);
    assert_status(&output, 0);
    let lines: Vec<String> = stdout(&output).lines().map(str::to_owned).collect();
    assert!(lines[0].starts_with("ok seek max error ") && lines[1].starts_with("ok arrive max error "), "{lines:?}");

    let folder = folder();
    let text = fs::read_to_string(SEEK_TRACE).unwrap();
    let wrong = write(folder.path(), "wrong.json", &text.replacen("[0.83205, 0.5547]", "[0.83205, 0.6]", 1));
    let output = steerling(&[Path::new("check"), &wrong, Path::new(ARRIVE_TRACE)]);
    assert_status(&output, 1);
    let text = stdout(&output);
    assert!(text.starts_with("FAIL seek tick 1 agent a: got position [0.83205"), "{text}");
    assert!(text.contains(", expected position [0.83205, 0.6]"), "{text}");
    assert!(text.contains("ok arrive"), "the others are checked all the same");

    let output = steerling(&[Path::new("check"), &wrong, Path::new("missing.json"), Path::new(ARRIVE_TRACE)]);
    assert_status(&output, 2);
    assert!(stderr(&output).starts_with("error: missing.json: cannot be read"));
    assert!(stdout(&output).contains("FAIL seek") && stdout(&output).contains("ok arrive"));
}

#[test]
fn a_plot_is_drawn() {
    let folder = folder();
    let plot = folder.path().join("out.svg");
    assert_status(&steerling(&[Path::new("run"), Path::new(SEEK), Path::new("--plot"), &plot]), 0);
    let text = fs::read_to_string(&plot).unwrap();
    assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
    for id in ["mass 1", "mass 2", "mass 5"] {
        assert!(text.contains(&format!("\n{id}\n</text>")), "{text}");
    }
}

#[test]
fn a_benchmark_prints_what_a_tick_costs() {
    let wander = SEEK.replace("seek.json", "wander.json");
    let output = steerling(&["bench", &wander, "--ticks", "20", "--repeat", "2", "--threads", "1"]);
    assert_status(&output, 0);
    for part in ["wander", "agents               40", "20, 2 times", "neighbors per agent", "median", "minimum"] {
        assert!(stdout(&output).contains(part), "expected `{part}` in:\n{}", stdout(&output));
    }

    let output = steerling(&["bench", &wander, "--ticks", "20", "--json"]);
    assert_status(&output, 0);
    let benchmark: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&benchmark["agents"], &benchmark["ticks"], &benchmark["repeats"]), (&40.into(), &20.into(), &5.into()));
    let [median, minimum] =
        ["median_ns_per_agent_tick", "min_ns_per_agent_tick"].map(|key| benchmark[key].as_f64().unwrap());
    assert!(median >= minimum && minimum > 0.0);
    // They start 80 apart and see 30 far.
    assert_eq!(benchmark["neighbors_per_agent"], 0.0);

    // Here no agent perceives neighbors, and the other file has no agents.
    let benchmark: serde_json::Value =
        serde_json::from_str(&stdout(&steerling(&["bench", SEEK_TRACE, "--json"]))).unwrap();
    assert!(benchmark["neighbors_per_agent"].is_null() && benchmark["median_ns_per_agent_tick"].is_number());
    let folder = folder();
    let empty = write(folder.path(), "empty.json", "{}");
    let output = steerling(&[Path::new("bench"), &empty]);
    assert_status(&output, 0);
    assert!(stdout(&output).contains("median               –"), "{}", stdout(&output));
}

#[test]
fn the_schema_is_printed() {
    let output = steerling(&["schema"]);
    assert_status(&output, 0);
    let schema: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    for scene in ["plane", "space"] {
        assert!(schema["$defs"][scene]["properties"]["crowds"]["description"].is_string(), "{scene}");
    }
}

#[test]
fn bad_usage_is_refused() {
    for args in [
        &[][..],
        &["fly"],
        &["run"],
        &["check"],
        &["run", SEEK, "--ticks", "-1"],
        &["run", SEEK, "--ticks", "x"],
        &["run", SEEK, "--every", "2"],
        &["run", SEEK, "--trace", "/dev/null", "--every", "0"],
        &["run", SEEK, "--threads", "0"],
        &["run", SEEK, "--seed", "-1"],
        &["run", SEEK, "--speed", "3"],
        &["bench"],
        &["bench", SEEK, "--repeat", "0"],
        &["bench", "missing.json"],
        &["schema", SEEK],
    ] {
        let output = steerling(args);
        assert_status(&output, 2);
        assert!(stdout(&output).is_empty(), "{args:?}");
        assert!(!stderr(&output).is_empty(), "{args:?}");
    }
}

#[test]
fn bad_input_leaves_nothing_behind() {
    let folder = folder();
    let bad = write(folder.path(), "bad.json", r#"{"agents": [{"id": "a", "position": [0, 0], "mass": 0}]}"#);
    let kept = write(folder.path(), "kept.csv", "what was there before");
    let (trace, summary) = (Path::new("--trace"), Path::new("--summary"));
    let new = folder.path().join("new.json");
    let output = steerling(&[Path::new("run"), &bad, trace, &kept, summary, &new]);
    assert_status(&output, 2);
    let message = stderr(&output);
    assert_eq!(message.lines().count(), 1, "{message}");
    for part in ["bad.json: agents[0].mass: ", "expected a mass above 0", "line 1 column 5"] {
        assert!(message.contains(part), "expected `{part}` in: {message}");
    }
    assert_eq!(fs::read_to_string(&kept).unwrap(), "what was there before");

    // If one output cannot be written, nothing runs and the other is not written either.
    let nowhere = folder.path().join("no/such/folder/out.csv");
    let output = steerling(&[Path::new("run"), Path::new(SEEK), summary, &new, trace, &nowhere]);
    assert_status(&output, 2);
    assert!(stderr(&output).contains("out.csv: cannot be written"), "{}", stderr(&output));
    let output = steerling(&[Path::new("run"), Path::new(SEEK), trace, &kept, summary, folder.path()]);
    assert_status(&output, 2);
    assert_eq!(fs::read_to_string(&kept).unwrap(), "what was there before");

    // Outputs must not overwrite the input or each other.
    let copy = write(folder.path(), "copy.json", &fs::read_to_string(SEEK).unwrap());
    assert_status(&steerling(&[Path::new("run"), &copy, summary, &copy]), 2);
    assert_eq!(fs::read_to_string(&copy).unwrap(), fs::read_to_string(SEEK).unwrap());
    assert_status(&steerling(&[Path::new("run"), &copy, summary, &new, trace, &new]), 2);

    let plot = Path::new("--plot");
    assert_status(&steerling(&[Path::new("run"), &copy, plot, &copy]), 2);
    assert_status(&steerling(&[Path::new("run"), &copy, summary, &new, plot, &new]), 2);

    let why = Path::new("--why");
    assert_status(&steerling(&[Path::new("run"), &copy, why, &copy]), 2);
    assert_status(&steerling(&[Path::new("run"), &copy, trace, &new, why, &new]), 2);
    assert_status(&steerling(&[Path::new("run"), &copy, why, &new, trace, &nowhere]), 2);

    for (one, other) in [("both", "./both"), ("both", "../NAME/both")] {
        let other = other.replace("NAME", folder.path().file_name().unwrap().to_str().unwrap());
        let (one, other) = (folder.path().join(one), folder.path().join(other));
        assert_status(&steerling(&[Path::new("run"), &copy, summary, &one, trace, &other]), 2);
    }
    let not_a_file = folder.path().join("folder/");
    assert_status(&steerling(&[Path::new("run"), &copy, summary, &new, trace, &not_a_file]), 2);

    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["bad.json", "copy.json", "kept.csv"], "no temporary files stay");
}

#[cfg(unix)]
#[test]
fn devices_are_written_to_and_not_replaced() {
    let output = steerling(&["run", SEEK, "--ticks", "2", "--trace", "/dev/stdout", "--summary", "/dev/null"]);
    assert_status(&output, 0);
    assert!(stdout(&output).starts_with("tick,time,id,x,y,vx,vy\r\n0,0,mass 1,"), "{}", stdout(&output));
    use std::os::unix::fs::FileTypeExt;
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[cfg(unix)]
#[test]
fn standard_output_that_is_a_file_is_appended_to() {
    let folder = folder();
    let log = write(folder.path(), "log", "keep\n");
    let status = Command::new(env!("CARGO_BIN_EXE_steerling"))
        .args(["run", SEEK, "--ticks", "1", "--trace", "/dev/stdout"])
        .stdout(fs::File::options().append(true).open(&log).unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("keep\ntick,time,id") && text.contains("state hash"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn streams_that_cannot_be_written_are_no_panic() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let run = |command: &mut Command| command.args(["run", SEEK, "--ticks", "1"]).status().unwrap().code();
    assert_eq!(run(Command::new(env!("CARGO_BIN_EXE_steerling")).stdout(full()).stderr(Stdio::null())), Some(2));
    let complain = Command::new(env!("CARGO_BIN_EXE_steerling")).args(["run", "nope"]).stderr(full()).status().unwrap();
    assert_eq!(complain.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn existing_files_keep_their_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let summary = write(folder.path(), "summary.json", "");
    fs::set_permissions(&summary, fs::Permissions::from_mode(0o640)).unwrap();
    assert_status(&steerling(&[Path::new("run"), Path::new(SEEK), Path::new("--summary"), &summary]), 0);
    assert_eq!(fs::metadata(&summary).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&summary).unwrap().contains("state_hash"));
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_leaves_no_files() {
    let folder = folder();
    let endless = r#"{"ticks": 1000000000, "agents": [{"id": "a", "position": [0, 0]}]}"#;
    let scenario = write(folder.path(), "endless.json", endless);
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_steerling"))
        .args([Path::new("run"), &scenario, Path::new("--trace"), &out.join("t.csv")])
        .spawn()
        .unwrap();
    let files = || fs::read_dir(&out).unwrap().count();
    while files() == 0 {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(files(), 0);
}

#[test]
fn names_cannot_forge_lines() {
    let folder = folder();
    let forged = r#"{"scenario": {"name": "x\nok forged", "ticks": 1}, "expected": [], "position_tolerance": 1}"#;
    let file = write(folder.path(), "forged.json", forged);
    let output = steerling(&[Path::new("check"), &file]);
    assert_status(&output, 0);
    assert_eq!(stdout(&output), "ok x\\nok forged max error 0.000e0\n");
}

#[test]
fn the_way_beyond_an_edge_is_no_path() {
    let folder = folder();
    // The agent always pushes against a wall.
    let scenario = write(
        folder.path(),
        "wall.json",
        r#"{"tick": 0.1, "ticks": 100, "bounds": {"min": [0, 0], "max": [100, 100], "edge": "bounce"},
            "agents": [{"id": "a", "position": [100, 50], "max_force": 1e6,
                        "behaviors": [{"seek": {"target": {"point": [1000, 50]}}}]}]}"#,
    );
    let output = steerling(&[Path::new("run"), &scenario]);
    assert!(stdout(&output).contains("mean path length     0.000"), "{}", stdout(&output));
}

#[test]
fn nobody_listening_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_steerling"))
        .args(["run", SEEK, "--ticks", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_status(&output, 0);
    assert!(stderr(&output).is_empty());
}
