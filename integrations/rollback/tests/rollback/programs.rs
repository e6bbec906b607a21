//! The example for two players, as two processes.

use std::io::Read;
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Two ports that nobody uses at the moment.
fn free_ports() -> [u16; 2] {
    let sockets = [0, 1].map(|_| UdpSocket::bind(("0.0.0.0", 0)).expect("there is a free port"));
    sockets.map(|socket| socket.local_addr().expect("it is bound").port())
}

/// A process that does not outlive the test.
struct Peer(Child);

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself.
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[test]
fn two_processes_stay_in_step() {
    let test = std::env::current_exe().expect("it runs");
    let program = test.ancestors().nth(2).expect("it is in the folder deps").join("examples/two_peers");
    let ports = free_ports();
    let mut peers = [0, 1].map(|player| {
        let other = format!("127.0.0.1:{}", ports[1 - player]);
        let arguments = [ports[player].to_string(), other, player.to_string()];
        let started = Command::new(&program).args(arguments).stdout(Stdio::piped()).spawn();
        Peer(started.unwrap_or_else(|error| panic!("{program:?}: {error}; cargo test builds it with the tests")))
    });
    // Both end after 600 frames, or with an error.
    let end = Instant::now() + Duration::from_secs(120);
    for Peer(peer) in &mut peers {
        let status = loop {
            match peer.try_wait().expect("it is a child") {
                Some(status) => break status,
                None => assert!(Instant::now() < end, "not at the end after two minutes"),
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        let mut output = String::new();
        peer.stdout.take().expect("it is piped").read_to_string(&mut output).expect("it is text");
        assert!(status.success() && output.trim() == "600 frames, no checksum differs", "{status}: {output}");
    }
}
