//! The example for two players, as two processes.

use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};

/// A port that nobody uses at the moment.
fn free_port() -> u16 {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).expect("there is a free port");
    socket.local_addr().expect("it is bound").port()
}

#[test]
fn two_processes_stay_in_step() {
    let test = std::env::current_exe().expect("it runs");
    let program = test.ancestors().nth(2).expect("it is in the folder deps").join("examples/two_peers");
    let ports = [free_port(), free_port()];
    let peers: Vec<Child> = (0..2)
        .map(|player| {
            let other = format!("127.0.0.1:{}", ports[1 - player]);
            let arguments = [ports[player].to_string(), other, player.to_string()];
            let started = Command::new(&program).args(arguments).stdout(Stdio::piped()).spawn();
            started.unwrap_or_else(|error| panic!("{program:?}: {error}; cargo test builds it with the tests"))
        })
        .collect();
    // Both end after 600 frames, or with an error.
    let outputs: Vec<String> = peers
        .into_iter()
        .map(|peer| peer.wait_with_output().expect("it ends"))
        .map(|output| String::from_utf8(output.stdout).expect("it is text"))
        .collect();
    for output in &outputs {
        assert_eq!(output.trim(), "600 frames, no checksum differs", "{outputs:?}");
    }
}
