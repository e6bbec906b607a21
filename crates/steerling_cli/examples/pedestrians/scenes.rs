//! The scenes of the tests, as they are written to files.
//!
//! All measures are those of the guideline and of `JuPedSim`'s files, in m.

use std::f64::consts::PI;
use std::fmt::Write;

use serde_json::{Value, json};

type Point = [f64; 2];

/// Bodies, in m and m/s and N/kg.
pub const RADIUS: f64 = 0.2;
pub const MAX_SPEED: f64 = 1.34;
pub const MAX_FORCE: f64 = 5.0;
/// The headway of those who queue, s.
pub const HEADWAY: f64 = 1.25;
/// Ticks per second.
const RATE: f64 = 60.0;
/// The thickness of walls, m.
const WALL: f64 = 0.2;
/// The least distance between the centers of people at the start, m.
const SPACING: f64 = 0.45;
/// The distance of a goal beyond its exit, m.
const BEYOND: f64 = 2.0;

/// The angles of the corridor of test 1, degrees.
pub const ANGLES: [u32; 4] = [0, 7, 33, 45];
/// The densities of test 4, people per m².
pub const DENSITIES: [f64; 8] = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0];
/// The width and the length of the corridor of test 4, m.
const CORRIDOR: Point = [20.0, 4.0];
/// The widths of the doorways, m.
pub const DOORWAYS: [f64; 8] = [0.8, 0.9, 1.0, 1.2, 1.6, 2.0, 2.2, 2.5];

/// A scene, and the name of its file without the extension.
pub struct Scene {
    pub file: String,
    pub text: String,
}

/// All scenes.
pub fn all() -> Vec<Scene> {
    let mut drafts: Vec<Draft> = ANGLES.into_iter().map(corridor).collect();
    drafts.extend(DENSITIES.map(closed_corridor));
    drafts.extend([corner(), room(4), room(2), rooms(), two_exits(), two_bottlenecks()]);
    drafts.extend([standing_person(), narrow_corridor(), goals_in_a_row()]);
    drafts.extend(DOORWAYS.map(doorway));
    drafts.into_iter().map(Draft::scene).collect()
}

/// The file of the corridor at an angle, degrees.
pub fn corridor_file(degrees: u32) -> String {
    format!("rimea_01_{degrees:02}")
}

/// The file of the closed corridor with a density.
pub fn density_file(density: f64) -> String {
    format!("rimea_04_{density:.2}")
}

/// The file of the doorway with a width.
pub fn doorway_file(width: f64) -> String {
    format!("doorway_{width:.1}")
}

/// The settings that differ between the scenes.
#[derive(Default)]
struct Draft {
    file: String,
    about: String,
    seconds: f64,
    bounds: Option<Value>,
    obstacles: Vec<Value>,
    fields: Vec<Value>,
    agents: Vec<Value>,
    crowds: Vec<Value>,
    gates: Vec<Value>,
}

impl Draft {
    fn new(file: impl Into<String>, about: impl Into<String>, seconds: f64) -> Self {
        Self { file: file.into(), about: about.into(), seconds, ..Self::default() }
    }

    /// The text of the file, with a line per item.
    fn scene(self) -> Scene {
        let mut text = format!(
            "{{\n  \"name\": {}, \"about\": {},\n  \"tick\": {}, \"ticks\": {}, \"seed\": 1",
            json!(self.file.replace('_', " ")),
            json!(self.about),
            1.0 / RATE,
            self.seconds * RATE
        );
        if let Some(bounds) = self.bounds {
            _ = write!(text, ",\n  \"bounds\": {bounds}");
        }
        let lists = [
            ("obstacles", self.obstacles),
            ("fields", self.fields),
            ("agents", self.agents),
            ("crowds", self.crowds),
            ("gates", self.gates),
        ];
        for (key, items) in lists.into_iter().filter(|(_, items)| !items.is_empty()) {
            let lines: Vec<String> = items.iter().map(|item| format!("\n    {item}")).collect();
            _ = write!(text, ",\n  \"{key}\": [{}\n  ]", lines.join(","));
        }
        Scene { file: self.file, text: text + "\n}\n" }
    }
}

/// An agent with the body that all have. It is not a whole agent: an id and a position, or a crowd, make it one.
fn body(behaviors: Value) -> Value {
    json!({"max_speed": MAX_SPEED, "max_force": MAX_FORCE, "radius": RADIUS, "behaviors": behaviors})
}

/// One that walks where the field leads, and queues.
fn walker(field: &str) -> Value {
    body(json!([{"follow_field": {"field": field}}, {"avoid_obstacles": {}}, {"queue": {"headway": HEADWAY}}]))
}

/// One that walks where the field leads, and passes others.
fn passer(field: &str) -> Value {
    body(json!([{"follow_field": {"field": field}}, {"avoid_obstacles": {}}, {"avoid_neighbors": {}}]))
}

fn one(id: impl Into<String>, position: Point, mut agent: Value) -> Value {
    agent["id"] = json!(id.into());
    agent["position"] = json!(position);
    agent
}

/// A crowd of `count` in a room with these corners.
fn crowd(prefix: &str, count: usize, [min, max]: [Point; 2], agent: &Value) -> Value {
    let area = json!({"min": min.map(|x| x + 0.4), "max": max.map(|x| x - 0.4)});
    json!({"prefix": prefix, "count": count, "spacing": SPACING, "area": area, "agent": agent})
}

fn field(id: &str, toward: &[Point]) -> Value {
    json!({"id": id, "toward": toward, "cell": 0.1, "clearance": RADIUS})
}

fn gate(id: impl Into<String>, [start, end]: [Point; 2], remove: bool) -> Value {
    json!({"id": id.into(), "start": start, "end": end, "remove": remove})
}

fn rectangle([left, bottom]: Point, [right, top]: Point) -> Value {
    let center = [(left + right) / 2.0, (bottom + top) / 2.0].map(short);
    let half_size = [(right - left) / 2.0, (top - bottom) / 2.0].map(short);
    json!({"rectangle": {"center": center, "half_size": half_size}})
}

/// A number without the last digits, which differ by rounding.
fn short(number: f64) -> f64 {
    (number * 1e4).round() / 1e4 + 0.0
}

/// A wall along x from `from` to `to`, between `y` and `y + thickness`, with doors from one x to another.
fn wall_along_x(y: f64, thickness: f64, [from, to]: Point, doors: &[Point]) -> Vec<Value> {
    let (bottom, top) = (y.min(y + thickness), y.max(y + thickness));
    pieces([from, to], doors).into_iter().map(|[start, end]| rectangle([start, bottom], [end, top])).collect()
}

/// A wall along y between `x` and `x + thickness`.
fn wall_along_y(x: f64, thickness: f64, [from, to]: Point, doors: &[Point]) -> Vec<Value> {
    let (left, right) = (x.min(x + thickness), x.max(x + thickness));
    pieces([from, to], doors).into_iter().map(|[start, end]| rectangle([left, start], [right, end])).collect()
}

/// The parts of a range that sorted gaps leave.
fn pieces([from, to]: Point, gaps: &[Point]) -> Vec<Point> {
    let starts = [from].into_iter().chain(gaps.iter().map(|gap| gap[1]));
    let ends = gaps.iter().map(|gap| gap[0]).chain([to]);
    starts.zip(ends).map(|(start, end)| [start, end]).collect()
}

/// Test 1: a person in a corridor of 40 m, turned by an angle.
fn corridor(degrees: u32) -> Draft {
    let (sine, cosine) = (f64::from(degrees) * PI / 180.0).sin_cos();
    let turned = |[x, y]: Point| [short(x * cosine - y * sine), short(x * sine + y * cosine)];
    let about = format!("RiMEA 1: a person walks 40 m along a corridor at {degrees}°.");
    let mut draft = Draft::new(corridor_file(degrees), about, 40.0);
    draft.obstacles = [1.1, -1.1]
        .map(|y| {
            let rotation = short(f64::from(degrees) * PI / 180.0);
            json!({"rectangle": {"center": turned([21.0, y]), "half_size": [22.0, 0.1], "rotation": rotation}})
        })
        .to_vec();
    draft.fields = vec![field("out", &[turned([40.0 + BEYOND, 0.0])])];
    draft.agents = vec![one("walker", [0.0, 0.0], walker("out"))];
    draft.gates = vec![gate("exit", [turned([40.0, -1.0]), turned([40.0, 1.0])], true)];
    draft
}

/// Test 4: a corridor that is closed to a ring, with this density.
fn closed_corridor(density: f64) -> Draft {
    let [length, width] = CORRIDOR;
    let count = (density * length * width) as usize;
    let about = format!("RiMEA 4: {count} people in a closed corridor, {density} per m².");
    let mut draft = Draft::new(density_file(density), about, 60.0);
    let top = width + WALL;
    draft.bounds = Some(json!({"min": [0, -WALL], "max": [length, 2.0 * top], "edge": "wrap"}));
    draft.obstacles =
        [wall_along_x(0.0, -WALL, [0.0, length], &[]), wall_along_x(width, WALL, [0.0, length], &[])].concat();
    // All want the velocity of a person who walks alone behind the wall.
    draft.agents = vec![json!({
        "id": "pacemaker", "position": [0, 1.5 * top], "velocity": [MAX_SPEED, 0],
        "max_speed": MAX_SPEED, "max_force": 0, "radius": 0.01
    })];
    let pace = json!({"match_velocity": {"target": {"agent": "pacemaker"}}});
    let agent = body(json!([pace, {"avoid_obstacles": {}}, {"queue": {"headway": HEADWAY}}]));
    if density > 3.0 {
        // Too dense for random places.
        draft.agents.extend((0..count).map(|k| {
            let (column, row) = (k % 40, k / 40);
            // Not quite regular.
            let off = |ratio: f64| 0.08 * ((k as f64 * ratio).fract() - 0.5);
            let (x, y) = (0.5 * column as f64 + 0.25 * (row % 2) as f64 + 0.1, 0.25 + 0.5 * row as f64);
            one(format!("walker {k}"), [x + off(0.618), y + off(0.414)].map(short), agent.clone())
        }));
    } else {
        let area = json!({"min": [0, 0.21], "max": [length, width - 0.21]});
        draft.crowds =
            vec![json!({"prefix": "walker ", "count": count, "spacing": 0.42, "area": area, "agent": agent})];
    }
    draft
}

/// Test 6: twenty people in a corridor with a corner.
fn corner() -> Draft {
    let mut draft = Draft::new("rimea_06", "RiMEA 6: twenty people go around a corner.", 40.0);
    draft.obstacles = vec![
        rectangle([-WALL, -WALL], [12.0 + WALL, 0.0]),
        rectangle([12.0, 0.0], [12.0 + WALL, 15.0]),
        rectangle([-WALL, 0.0], [0.0, 2.0]),
        rectangle([-WALL, 2.0], [10.0, 2.0 + WALL]),
        rectangle([10.0 - WALL, 2.0 + WALL], [10.0, 15.0]),
    ];
    draft.fields = vec![field("out", &[[11.0, 12.0 + BEYOND]])];
    draft.crowds = vec![crowd("walker ", 20, [[-0.1, -0.1], [6.0, 2.1]], &walker("out"))];
    draft.gates = vec![gate("exit", [[10.0, 12.0], [12.0, 12.0]], true)];
    draft
}

/// A room of 30 m by 20 m, with doors in the walls along x.
fn hall(draft: &mut Draft, bottom: &[Point], top: &[Point]) {
    let across = [-WALL, 30.0 + WALL];
    draft.obstacles = [
        wall_along_x(0.0, -WALL, across, bottom),
        wall_along_x(20.0, WALL, across, top),
        wall_along_y(0.0, -WALL, [0.0, 20.0], &[]),
        wall_along_y(30.0, WALL, [0.0, 20.0], &[]),
    ]
    .concat();
    let doors = [(bottom, -WALL, -BEYOND), (top, 20.0 + WALL, BEYOND)];
    let doors = doors.into_iter().flat_map(|(doors, y, beyond)| doors.iter().map(move |door| (*door, y, beyond)));
    let mut goals = Vec::new();
    for (number, ([left, right], y, beyond)) in doors.enumerate() {
        goals.push([(left + right) / 2.0, y + beyond]);
        draft.gates.push(gate(format!("exit {}", number + 1), [[left, y], [right, y]], true));
    }
    draft.fields = vec![field("out", &goals)];
}

/// Test 9: a thousand people leave a room by two or four exits.
fn room(exits: usize) -> Draft {
    const DOORS: [Point; 2] = [[4.0, 5.0], [25.0, 26.0]];
    let about = format!("RiMEA 9: a thousand people leave a room by {exits} exits.");
    let mut draft = Draft::new(format!("rimea_09_{exits}_exits"), about, if exits == 4 { 250.0 } else { 450.0 });
    hall(&mut draft, &DOORS, if exits == 4 { &DOORS } else { &[] });
    draft.crowds = vec![crowd("walker ", 1000, [[0.0, 0.0], [30.0, 20.0]], &walker("out"))];
    draft
}

/// Test 10: twelve rooms along a corridor. Each person has an exit.
fn rooms() -> Draft {
    /// The doors of the rooms above and below the corridor, m.
    const ABOVE: [f64; 6] = [1.05, 4.05, 7.65, 10.05, 13.05, 16.05];
    const BELOW: [f64; 6] = [1.05, 4.05, 7.05, 10.05, 13.05, 16.05];
    const DOOR: f64 = 0.9;
    let mut draft = Draft::new("rimea_10", "RiMEA 10: 23 people leave twelve rooms, each by the assigned exit.", 60.0);
    let doors = |starts: [f64; 6]| starts.map(|start| [start, start + DOOR]);
    let mut above = doors(ABOVE).to_vec();
    above.insert(2, [6.0, 7.2]);
    let thin = 0.1;
    draft.obstacles = [
        wall_along_x(5.0, -thin, [-WALL, 20.0], &doors(BELOW)),
        wall_along_x(6.0, thin, [-WALL, 20.0], &above),
        wall_along_x(0.0, -WALL, [-WALL, 18.0 + WALL], &[]),
        wall_along_x(11.0, WALL, [-WALL, 18.0 + WALL], &[[6.0, 7.2]]),
        wall_along_y(0.0, -WALL, [0.0, 11.0], &[]),
        wall_along_y(18.0, WALL, [0.0, 11.0], &[[5.0 - thin, 6.0 + thin]]),
        [3.0, 6.0, 9.0, 12.0, 15.0]
            .iter()
            .flat_map(|x| wall_along_y(x - thin / 2.0, thin, [0.0, 5.0 - thin], &[]))
            .collect(),
        [3.0, 5.95, 7.25, 9.0, 12.0, 15.0]
            .iter()
            .flat_map(|x| wall_along_y(x - thin / 2.0, thin, [6.0 + thin, 11.0], &[]))
            .collect(),
    ]
    .concat();
    let goals = [("main", [6.6, 11.0 + BEYOND]), ("secondary", [18.0 + BEYOND, 5.5])];
    draft.fields = goals.map(|(id, goal)| field(id, &[goal])).to_vec();
    draft.gates =
        vec![gate("main", [[6.0, 11.0], [7.2, 11.0]], true), gate("secondary", [[18.0, 5.0], [18.0, 6.0]], true)];
    for (row, y) in [(0, 6.0 + thin), (1, 0.0)] {
        for room in 0..6 {
            let (exit, left) = (if room < 4 { "main" } else { "secondary" }, 3.0 * f64::from(room));
            let (left, count) = if (row, room) == (0, 2) { (7.2, 1) } else { (left, 2) };
            let corners = [[left, y], [3.0 * f64::from(room) + 3.0, y + 4.9]];
            draft.crowds.push(crowd(&format!("{exit} {row} {room} "), count, corners, &walker(exit)));
        }
    }
    draft
}

/// Test 11: a room with two exits in a wall.
fn two_exits() -> Draft {
    let mut draft = Draft::new("rimea_11", "RiMEA 11: people choose between two exits.", 250.0);
    hall(&mut draft, &[], &[[21.0, 22.0], [27.0, 28.0]]);
    draft.crowds = vec![crowd("walker ", 300, [[0.0, 0.0], [30.0, 20.0]], &walker("out"))];
    draft
}

/// Test 12: from a room through a bottleneck into another room, whose exit is just as wide.
fn two_bottlenecks() -> Draft {
    const DOOR: [Point; 1] = [[-0.5, 0.5]];
    let mut draft = Draft::new("rimea_12", "RiMEA 12: two bottlenecks in series.", 250.0);
    draft.obstacles = vec![
        rectangle([0.0, 0.5], [5.0, 5.0]),
        rectangle([0.0, -5.0], [5.0, -0.5]),
        rectangle([-10.0 - WALL, -5.0], [-10.0, 5.0]),
    ];
    for (y, thickness) in [(5.0, WALL), (-5.0, -WALL)] {
        draft.obstacles.extend(wall_along_x(y, thickness, [-10.0 - WALL, 15.0 + WALL], &[]));
    }
    draft.obstacles.extend(wall_along_y(15.0, WALL, [-5.0, 5.0], &DOOR));
    draft.fields = vec![field("out", &[[15.0 + WALL + BEYOND, 0.0]])];
    draft.crowds = vec![crowd("walker ", 150, [[-10.0, -5.0], [0.0, 5.0]], &walker("out"))];
    let exit = 15.0 + WALL;
    draft.gates =
        vec![gate("bottleneck", [[5.0, -0.5], [5.0, 0.5]], false), gate("exit", [[exit, -0.5], [exit, 0.5]], true)];
    draft
}

/// A corridor of 12 m with a goal behind it.
fn short_corridor(file: &str, about: &str, width: f64, agent: fn(&str) -> Value) -> Draft {
    let mut draft = Draft::new(file, about, 20.0);
    draft.obstacles =
        [wall_along_x(0.0, -WALL, [-1.0, 14.0], &[]), wall_along_x(width, WALL, [-1.0, 14.0], &[])].concat();
    draft.fields = vec![field("out", &[[14.0, width / 2.0]])];
    draft.agents = vec![
        one("walker", [2.0, 0.55 * width], agent("out")),
        json!({"id": "standing", "position": [4.0, 0.5 * width], "radius": RADIUS}),
    ];
    draft.gates = vec![gate("exit", [[12.0, 0.0], [12.0, width]], true)];
    draft
}

fn standing_person() -> Draft {
    short_corridor("juelich_4", "JuPedSim 4: a person passes one who stands in the way.", 4.0, passer)
}

fn narrow_corridor() -> Draft {
    let about = "JuPedSim 5: a person stops behind one who stands in a corridor too narrow to pass.";
    short_corridor("juelich_5", about, 0.8, passer)
}

/// `JuPedSim` 6: a person goes 10 m, through intermediate goals.
fn goals_in_a_row() -> Draft {
    let mut draft = Draft::new("juelich_6", "JuPedSim 6: a person goes 10 m through intermediate goals.", 15.0);
    draft.obstacles = [wall_along_x(0.0, -WALL, [0.0, 13.0], &[]), wall_along_x(4.0, WALL, [0.0, 13.0], &[])].concat();
    let places = [2.0, 4.0, 6.0, 7.0, 12.0].map(|x| [x, 2.0]);
    let behaviors =
        json!([{"follow_path": {"path": places}}, {"avoid_obstacles": {}}, {"queue": {"headway": HEADWAY}}]);
    let mut walker = one("walker", [1.0, 2.0], body(behaviors));
    walker["velocity"] = json!([MAX_SPEED, 0]);
    walker["goals"] = places[..4].iter().map(|place| json!({"position": place, "radius": RADIUS})).collect();
    draft.agents = vec![walker];
    draft.gates = vec![gate("exit", [[11.0, 0.0], [11.0, 4.0]], true)];
    draft
}

/// A crowd in a room with a door of this width.
fn doorway(width: f64) -> Draft {
    let about = format!("Eighty people leave a room through a door of {width} m.");
    let mut draft = Draft::new(doorway_file(width), about, 150.0);
    let across = [-8.0 - WALL, WALL];
    draft.obstacles = [
        wall_along_x(4.0, WALL, across, &[]),
        wall_along_x(-4.0, -WALL, across, &[]),
        wall_along_y(-8.0, -WALL, [-4.0, 4.0], &[]),
        wall_along_y(0.0, WALL, [-4.0, 4.0], &[[-width / 2.0, width / 2.0]]),
    ]
    .concat();
    draft.fields = vec![field("out", &[[WALL + BEYOND, 0.0]])];
    draft.crowds = vec![crowd("walker ", 80, [[-8.0, -4.0], [0.0, 4.0]], &walker("out"))];
    draft.gates = vec![gate("door", [[WALL, -width / 2.0], [WALL, width / 2.0]], true)];
    draft
}
