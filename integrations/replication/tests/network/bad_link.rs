//! A network that loses, repeats and delays datagrams.

use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::{SteeringRng, SteeringSeed};
use steerling_replication::handover::{Datagrams, UdpLink};

/// A UDP socket behind a bad network.
pub struct BadLink {
    socket: UdpLink,
    /// The share of datagrams that are lost, and of those that arrive twice.
    share: f32,
    /// The largest delay, ticks.
    delay: f32,
    random: SteeringRng,
    tick: u32,
    on_their_way: Vec<(u32, Vec<u8>)>,
    /// For how many ticks the network stays bad.
    bad_for: u32,
}

impl BadLink {
    pub fn new(socket: UdpLink, seed: u64, share: f32, delay: f32, bad_for: u32) -> Self {
        let random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 0);
        Self { socket, share, delay, random, tick: 0, on_their_way: Vec::new(), bad_for }
    }
}

impl Datagrams for BadLink {
    fn send(&mut self, datagram: &[u8]) {
        self.socket.send(datagram);
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        let is_bad = self.tick < self.bad_for;
        while let Some(datagram) = self.socket.receive() {
            let copies = match self.random.uniform() {
                _ if !is_bad => 1,
                fate if fate < self.share => 0,
                fate if fate < 2.0 * self.share => 2,
                _ => 1,
            };
            for _ in 0..copies {
                let delay = if is_bad { (self.random.uniform() * self.delay) as u32 } else { 0 };
                self.on_their_way.push((self.tick + delay, datagram.clone()));
            }
        }
        if let Some(next) = self.on_their_way.iter().position(|(due, _)| *due <= self.tick) {
            return Some(self.on_their_way.swap_remove(next).1);
        }
        // The receiver has read all that there is in this tick.
        self.tick += 1;
        None
    }
}
