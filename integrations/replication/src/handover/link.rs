//! Messages between two servers.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use bevy::log::warn;
use bevy::prelude::*;

/// A way to send datagrams to the other server. Any of them may be lost, repeated, delayed or reordered.
pub trait Datagrams: Send + Sync + 'static {
    /// Sends a datagram.
    fn send(&mut self, datagram: &[u8]);
    /// Takes the next datagram that has arrived.
    fn receive(&mut self) -> Option<Vec<u8>>;
}

/// The connection to the other server.
#[derive(Resource)]
pub struct Link(pub Box<dyn Datagrams>);

impl Link {
    /// Connects to the other server in this way.
    pub fn new(datagrams: impl Datagrams) -> Self {
        Self(Box::new(datagrams))
    }
}

/// The largest UDP datagram, bytes.
const LARGEST: usize = 65_507;

/// Datagrams over UDP. They are neither encrypted nor authenticated: for servers in a network of their own.
#[derive(Debug)]
pub struct UdpLink {
    socket: UdpSocket,
    other: Option<SocketAddr>,
    buffer: Vec<u8>,
}

impl UdpLink {
    /// A socket on this machine with a port that the system chooses.
    ///
    /// # Errors
    ///
    /// If the system provides no socket.
    pub fn bind() -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, other: None, buffer: vec![0; LARGEST] })
    }

    /// The address to which the other server sends.
    ///
    /// # Errors
    ///
    /// If the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Sends to this address from now on, and ignores what others send.
    #[must_use]
    pub fn to(self, other: SocketAddr) -> Self {
        Self { other: Some(other), ..self }
    }
}

impl Datagrams for UdpLink {
    fn send(&mut self, datagram: &[u8]) {
        let Some(other) = self.other else { return };
        if let Err(error) = self.socket.send_to(datagram, other)
            && error.kind() != io::ErrorKind::WouldBlock
        {
            warn!("cannot send {} bytes to {other}: {error}", datagram.len());
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.socket.recv_from(&mut self.buffer) {
                Ok((length, from)) if Some(from) == self.other => return Some(self.buffer[..length].to_vec()),
                Ok(_) => {}
                // What some systems report after sending to a closed port.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
                Err(_) => return None,
            }
        }
    }
}
