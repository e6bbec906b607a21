//! Flow fields, and agents that follow them.

use super::mazes::{Maze, ShortestWays};
use super::*;

const RADIUS: f32 = 8.0;

/// An app with the walls of a maze, which are indexed.
fn app_with(maze: &Maze) -> App {
    let mut app = app();
    maze.spawn(app.world_mut());
    run(&mut app, 1);
    app
}

fn obstacles(app: &App) -> &Obstacles {
    app.world().resource::<Obstacles>()
}

#[test]
fn explore() {
    let mut random = numbers(1);
    let cases: usize = std::env::var("CASES").map_or(20, |s| s.parse().unwrap());
    let (mut worst_ratio, mut worst_low, mut worst_err): (f32, f32, f32) = (0.0, 9.0, 0.0);
    for case in 0..cases {
        let maze = Maze::new(&mut random, 5, 60.0, 2.2 * RADIUS);
        let goal = maze.place(&mut random, RADIUS + 4.0);
        let app = app_with(&maze);
        let t = std::time::Instant::now();
        let field = FlowField::toward([goal], obstacles(&app), 0.2 * RADIUS, RADIUS).expect("fine");
        let made = t.elapsed();
        let t = std::time::Instant::now();
        let truth = ShortestWays::new(&maze, goal, RADIUS);
        let truth_time = t.elapsed();
        let (mut hi, mut lo) = (0.0_f32, 9.0_f32);
        for _ in 0..200 {
            let place = maze.place(&mut random, RADIUS + 3.0);
            let expected = truth.from(place);
            let got = field.distance(place);
            let Some(got) = got else { println!("none at {place} {expected}"); continue };
            if expected > 10.0 {
                hi = hi.max(got / expected); lo = lo.min(got / expected);
                worst_err = worst_err.max((got - expected).abs());
            }
        }
        worst_ratio = worst_ratio.max(hi); worst_low = worst_low.min(lo);
        if case < 5 { println!("{case} made {made:?} truth {truth_time:?} hi {hi} lo {lo}"); }
    }
    println!("worst {worst_ratio} {worst_low} err {worst_err}");
}

#[test]
fn explore_agents() {
    let mut random = numbers(2);
    let cases: usize = std::env::var("CASES").map_or(20, |s| s.parse().unwrap());
    let (mut worst, mut deepest, mut late) = (0.0_f32, 0.0_f32, 0);
    for case in 0..cases {
        let maze = Maze::new(&mut random, 5, 60.0, 2.2 * RADIUS);
        let goal = maze.place(&mut random, RADIUS + 4.0);
        let mut app = app_with(&maze);
        let field = FlowField::toward([goal], obstacles(&app), 0.2 * RADIUS, RADIUS).expect("fine");
        let field = app.world_mut().spawn(field).id();
        let truth = ShortestWays::new(&maze, goal, RADIUS);
        let mut agents = Vec::new();
        for _ in 0..8 {
            let place = maze.place(&mut random, RADIUS + 3.0);
            let body = SteeringAgent { max_speed: 40.0 + 100.0 * random(), max_force: 150.0 + 500.0 * random(), response_time: if random() < 0.5 {0.0} else {0.2 * random()}, radius: RADIUS, ..default() };
            let shortest = truth.from(place);
            if shortest.is_finite() {
                let agent = app.world_mut().spawn((body, FollowField::new(field), AvoidObstacles::default(), at(place.x, place.y))).id();
                agents.push((agent, place, shortest, 0.0_f32, place, body));
            }
        }
        for _ in 0..60 * 60 {
            run(&mut app, 1);
            for (agent, last, _, way, start, body) in &mut agents {
                let p = position(&app, *agent);
                *way += p.distance(*last);
                *last = p;
                let depth = RADIUS - maze.room_at(p);
                if depth > deepest { deepest = depth; println!("case {case} deep {depth} start {start} at {p} {body:?}"); }
            }
            if agents.iter().all(|a| a.1.distance(goal) < 0.5) { break; }
        }
        for (agent, last, shortest, way, start, body) in &agents {
            let ratio = way / shortest;
            if last.distance(goal) > 0.5 { late += 1; println!("case {case} late: {start} at {last} v {} goal {goal} {shortest} {way} {body:?}", velocity(&app, *agent)); }
            else if ratio > 1.1 || ratio > worst { worst = worst.max(ratio); println!("case {case} ratio {ratio} shortest {shortest} {start}->{goal} {body:?}"); }
        }
    }
    println!("worst {worst} deepest {deepest} late {late}");
}
