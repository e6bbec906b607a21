//! Connections over UDP.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::SystemTime;

use bevy::prelude::*;
use bevy_replicon::prelude::*;
use bevy_replicon_renet::netcode::{
    ClientAuthentication, NetcodeClientTransport, NetcodeServerTransport, ServerAuthentication, ServerConfig,
};
use bevy_replicon_renet::renet::ConnectionConfig;
use bevy_replicon_renet::{RenetChannelsExt, RenetClient, RenetServer};

/// Identifies the game.
const PROTOCOL_ID: u64 = 0x7374_6565;

fn channels(app: &App) -> ConnectionConfig {
    let channels = app.world().resource::<RepliconChannels>();
    ConnectionConfig {
        server_channels_config: channels.server_configs(),
        client_channels_config: channels.client_configs(),
        ..default()
    }
}

/// Opens a server on this machine, on a port that the system chooses, and returns its address. Connections are not encrypted.
///
/// # Errors
///
/// If there is no socket.
pub fn start_server(app: &mut App, max_clients: usize) -> Result<SocketAddr, Box<dyn Error>> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = socket.local_addr()?;
    let config = ServerConfig {
        current_time: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?,
        max_clients,
        protocol_id: PROTOCOL_ID,
        public_addresses: vec![address],
        authentication: ServerAuthentication::Unsecure,
    };
    let server = RenetServer::new(channels(app));
    app.insert_resource(server).insert_resource(NetcodeServerTransport::new(config, socket)?);
    Ok(address)
}

/// Connects to a server as the client of this number, which no other client may have.
///
/// # Errors
///
/// If there is no socket.
pub fn connect(app: &mut App, server: SocketAddr, client_id: u64) -> Result<(), Box<dyn Error>> {
    let authentication =
        ClientAuthentication::Unsecure { client_id, protocol_id: PROTOCOL_ID, server_addr: server, user_data: None };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let transport = NetcodeClientTransport::new(now, authentication, UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?)?;
    let client = RenetClient::new(channels(app));
    app.insert_resource(client).insert_resource(transport);
    Ok(())
}
