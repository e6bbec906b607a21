//! Two peers with bad networks between them.

use bevy::prelude::*;
use bevy_ggrs::ggrs::{DesyncDetection, Frame, SessionState};
use bevy_ggrs::prelude::*;
use bevy_steerling::behaviors::wander::WanderState;
use steerling_rollback::hunt::{HuntConfig, Score};
use steerling_rollback::socket::{BadNetwork, PeerSocket};

use crate::session::{Report, forget, frame, hunt};

/// The frames at which a peer found that the checksums differ.
#[derive(Resource, Default)]
struct Desyncs(Vec<Frame>);

fn read_events(mut session: ResMut<Session<HuntConfig>>, mut desyncs: ResMut<Desyncs>) {
    let Session::P2P(session) = &mut *session else { return };
    for event in session.events() {
        if let GgrsEvent::DesyncDetected { frame, .. } = event {
            desyncs.0.push(frame);
        }
    }
}

/// Two apps that play one game over UDP.
fn peers(seed: u64, network: BadNetwork, mutation: fn(&mut App)) -> [App; 2] {
    let sockets =
        [0, 1].map(|peer| PeerSocket::bind(BadNetwork { seed: network.seed + peer, ..network }).expect("a socket"));
    let addresses = [0, 1].map(|peer: usize| sockets[peer].address().expect("an address"));
    let mut sockets = sockets.into_iter();
    [0, 1].map(|peer: usize| {
        let session = SessionBuilder::<HuntConfig>::new()
            .with_num_players(2)
            .expect("a number of players")
            .with_max_prediction_window(10)
            .with_input_delay(1)
            .with_desync_detection_mode(DesyncDetection::On { interval: 5 })
            .add_player(PlayerType::Local, peer)
            .expect("a free handle")
            .add_player(PlayerType::Remote(addresses[1 - peer]), 1 - peer)
            .expect("a free handle")
            .start_p2p_session(sockets.next().expect("there are two"))
            .expect("a valid session");
        let mut app = hunt(seed);
        // The first peer is never wrong.
        if peer == 1 {
            mutation(&mut app);
        }
        app.init_resource::<Desyncs>().add_systems(PostUpdate, read_events).insert_resource(Session::P2P(session));
        app
    })
}

fn is_running(app: &App) -> bool {
    let session = app.world().get_resource::<Session<HuntConfig>>();
    matches!(session, Some(Session::P2P(session)) if session.current_state() == SessionState::Running)
}

/// Runs both until each has played so many frames, or until their checksums differ.
fn play(peers: &mut [App; 2], frames: i32) {
    let desyncs = |peers: &[App; 2]| peers.iter().any(|peer| !peer.world().resource::<Desyncs>().0.is_empty());
    let start = std::time::Instant::now();
    while peers.iter().any(|peer| frame(peer) < frames) && !desyncs(peers) {
        assert!(start.elapsed().as_secs() < 300, "frames {:?}", [0, 1].map(|peer: usize| frame(&peers[peer])));
        peers.iter_mut().for_each(App::update);
        if !peers.iter().all(is_running) {
            // The sessions repeat lost greetings after some real time.
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }
}

#[test]
fn two_peers_agree_whatever_the_network_does() {
    for (seed, loss) in [(1, 0.0), (2, 0.1), (3, 0.3)] {
        let network = BadNetwork { loss, repeated: loss, delay: (4, 14), seed };
        let mut peers = peers(seed, network, |_| ());
        play(&mut peers, 1500);
        for peer in &peers {
            assert_eq!(peer.world().resource::<Desyncs>().0, [], "loss {loss}");
            let rollbacks = peer.world().resource::<Report>().rollbacks;
            assert!(rollbacks > 60, "{rollbacks} rollbacks");
            assert!(peer.world().resource::<Score>().caught > 3);
        }
    }
}

#[test]
fn peers_notice_what_is_not_rolled_back() {
    let network = BadNetwork { delay: (1, 4), seed: 7, ..default() };
    let mut peers = peers(7, network, forget::<WanderState>);
    play(&mut peers, 1500);
    assert!(peers.iter().any(|peer| !peer.world().resource::<Desyncs>().0.is_empty()));
}
