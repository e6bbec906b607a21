//! A UDP socket for sessions on a port that the system chooses, which can behave like a bad network.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use bevy::log::warn;
use bevy_ggrs::ggrs::{Message, NonBlockingSocket};
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::{SteeringRng, SteeringSeed};

/// The size of a buffer that holds any datagram of ggrs, bytes.
const DATAGRAM: usize = 4096;

/// How badly a network behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BadNetwork {
    /// The share of messages that are lost, from 0 to 1.
    pub loss: f32,
    /// The share of messages that arrive twice, from 0 to 1.
    pub repeated: f32,
    /// For how many polls of the receiver each message is delayed: a number between these two.
    pub delay: (u32, u32),
    /// The seed of all this.
    pub seed: u64,
}

/// A nonblocking UDP socket.
#[derive(Debug)]
pub struct PeerSocket {
    socket: UdpSocket,
    network: BadNetwork,
    random: SteeringRng,
    polls: u32,
    /// The messages that are still on their way: when they arrive, from whom they are, and what they say.
    on_their_way: Vec<(u32, SocketAddr, Message)>,
}

impl PeerSocket {
    /// A socket on this machine with a port that the system chooses, behind such a network.
    ///
    /// # Errors
    ///
    /// If the system provides no socket.
    pub fn bind(network: BadNetwork) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        let random = SteeringRng::new(SteeringSeed(network.seed), SteeringId::new(0), 0);
        Ok(Self { socket, network, random, polls: 0, on_their_way: Vec::new() })
    }

    /// The address to which others send.
    ///
    /// # Errors
    ///
    /// If the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Takes what has arrived at the socket, and decides when the receiver gets it.
    fn collect(&mut self) {
        let mut buffer = [0; DATAGRAM];
        loop {
            match self.socket.recv_from(&mut buffer) {
                Ok((length, from)) => {
                    // A datagram of somebody else.
                    let Ok(message) = postcard::from_bytes::<Message>(&buffer[..length]) else { continue };
                    if self.random.uniform() < self.network.loss {
                        continue;
                    }
                    if self.random.uniform() < self.network.repeated {
                        self.delay(from, message.clone());
                    }
                    self.delay(from, message);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // What some systems report after sending to a closed port.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
                Err(error) => return warn!("cannot receive: {error}"),
            }
        }
    }

    fn delay(&mut self, from: SocketAddr, message: Message) {
        let (least, most) = self.network.delay;
        let delay = least + (self.random.uniform() * (most.saturating_sub(least) + 1) as f32) as u32;
        self.on_their_way.push((self.polls + delay, from, message));
    }
}

impl NonBlockingSocket<SocketAddr> for PeerSocket {
    fn send_to(&mut self, message: &Message, address: &SocketAddr) {
        match postcard::to_stdvec(message) {
            Ok(datagram) => {
                if let Err(error) = self.socket.send_to(&datagram, address) {
                    warn!("cannot send to {address}: {error}");
                }
            }
            Err(error) => warn!("cannot write a message: {error}"),
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        self.collect();
        let now = self.polls;
        self.polls += 1;
        self.on_their_way.extract_if(.., |(due, ..)| *due <= now).map(|(_, from, message)| (from, message)).collect()
    }
}
