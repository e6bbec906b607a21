//! The examples, whose servers and clients are processes of their own.

use std::process::{Command, Output};

/// Runs an example for some seconds.
fn run(name: &str, seconds: u32) -> Output {
    let test = std::env::current_exe().expect("it runs");
    let folder = test.ancestors().nth(2).expect("it is in the folder deps").join("examples");
    let output = Command::new(folder.join(name)).arg(seconds.to_string()).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}; cargo test builds it with the tests"));
    assert!(output.status.success(), "{name}: {output:?}");
    output
}

/// The clients, each with the number of agents that it knows and of those in its view, in the last rows of a table.
fn last_rows(table: &str, second: u32) -> Vec<(u64, u32, u32)> {
    let rows = table.lines().filter_map(|line| line.strip_prefix(&format!("| {second} | ")));
    rows.map(|row| {
        let numbers: Vec<u32> = row.split(" | ").take(3).map(|number| number.parse().expect("a number")).collect();
        (u64::from(numbers[0]), numbers[1], numbers[2])
    })
    .collect()
}

#[test]
fn four_clients_see_two_thousand_agents_while_one_joins_late_and_one_leaves() {
    let output = run("server_and_clients", 12);
    let text = String::from_utf8(output.stdout).expect("it is text");
    let (all, near) = text.split_once("within 400 units").expect("there are two tables");
    // The first one was there.
    assert!(all.lines().any(|line| line.split(" | ").nth(1) == Some("0")), "{all}");
    let clients = |rows: &[(u64, u32, u32)]| rows.iter().map(|row| row.0).collect::<Vec<_>>();
    let rows = last_rows(all, 12);
    assert_eq!(clients(&rows), [1, 2, 3], "{all}");
    assert!(rows.iter().all(|(_, known, in_view)| (*known, *in_view) == (2000, 2000)), "{all}");
    let rows = last_rows(near, 12);
    assert_eq!(clients(&rows), [1, 2, 3], "{near}");
    for (client, known, in_view) in rows {
        // Those that were in view lately are still known.
        assert!(in_view > 50 && known > in_view / 2 && known < 2 * in_view, "client {client}: {near}");
    }
}

#[test]
fn two_processes_that_steer_one_world_lose_no_agent() {
    let output = run("regions", 8);
    let text = String::from_utf8(output.stdout).expect("it is text");
    assert_eq!(text.trim(), "1000 agents at the start, 1000 at the end, 1000 of them different");
    let servers = String::from_utf8(output.stderr).expect("it is text");
    // `run` checks that no agent is lost; each server must also have given some up.
    assert_eq!(servers.lines().filter(|line| line.contains("has given up")).count(), 2, "{servers}");
    assert!(!servers.contains("has given up 0,"), "{servers}");
}
