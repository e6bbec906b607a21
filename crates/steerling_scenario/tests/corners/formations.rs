//! Formations, and agents that follow a leader.

use bevy::math::Vec2;
use serde_json::{Value, json};
use steerling_scenario::AgentState;

use crate::playing::{agent, end_of, file, place, play};

/// Checks that somebody is at each of these places.
#[track_caller]
fn assert_taken(places: &[Vec2], agents: &[AgentState]) {
    for place in places {
        let nearest = agents.iter().map(|agent| agent.position.distance(*place)).fold(f32::INFINITY, f32::min);
        assert!(nearest < 0.1, "nobody is at {place}: {nearest}");
    }
}

#[test]
fn followers_keep_their_spacing_however_they_start_and_however_fast_they_are() {
    for name in ["followers_in_a_line", "fast_followers"] {
        let agents = end_of(&file(name));
        for (k, one) in agents.iter().enumerate() {
            for other in &agents[k + 1..] {
                let distance = one.position.distance(other.position);
                assert!(distance > 23.5, "{name}: {} and {} are {distance} apart", one.id, other.id);
            }
        }
    }
}

#[test]
fn the_others_close_up_when_three_members_leave_at_once() {
    assert_taken(&[Vec2::new(0.0, 24.0), Vec2::new(0.0, -24.0)], &end_of(&file("three_members_leave")));
}

#[test]
fn each_of_a_hundred_members_goes_straight_ahead_into_the_line() {
    let ids: Vec<String> = (0..100).map(|k| format!("m{k}")).collect();
    let member = |(k, id): (usize, &String)| {
        let (ahead, left) = ((k * 53 % 100) as f64, (k * 37 % 100) as f64);
        json!({"id": id, "position": [-100.0 - ahead, 24.0 * left - 1188.0]})
    };
    let mut agents: Vec<Value> = ids.iter().enumerate().map(member).collect();
    agents.push(json!({"id": "anchor", "position": [0, 0]}));
    let formation = json!({"anchor": "anchor", "pattern": "line", "members": ids});
    let scene = json!({"ticks": 400, "agents": agents, "formations": [formation]});
    let (mut start, mut end) = (Vec::new(), Vec::new());
    play(&scene, |_, agents| {
        if start.is_empty() {
            start = agents.to_vec();
        }
        end = agents.to_vec();
    });
    for (start, end) in start.iter().zip(&end) {
        let aside = (end.position.y - start.position.y).abs();
        assert!(aside < 24.0, "{} goes {aside} sideways", start.id);
    }
}

#[test]
fn members_of_two_formations_take_slots_in_their_own() {
    // Members are steered eight at a time, here some of each formation.
    let agents = end_of(&file("two_columns"));
    let columns = [("a", 0.0, ["m0", "m2", "m4", "m6"]), ("b", 400.0, ["m1", "m3", "m5", "m7"])];
    for (anchor, y, members) in columns {
        for member in members {
            let place = place(&agents, member);
            assert!(place.x < -23.0 && (place.y - y).abs() < 1.0, "{member} of {anchor} is at {place}");
        }
    }
}

#[test]
fn a_vehicle_in_its_slot_is_as_fast_as_its_slot() {
    let scene = file("vehicle_in_its_slot");
    let ticks = scene["ticks"].as_u64().expect("it is a number");
    play(&scene, |tick, agents| {
        if tick > ticks - 200 {
            let (speed, anchor) =
                (agent(agents, "member").velocity.length(), agent(agents, "anchor").velocity.length());
            assert!((speed - anchor).abs() < 1.0, "tick {tick}: {speed}");
        }
    });
}

#[test]
fn a_heavy_vehicle_brakes_early_enough_for_its_slot() {
    let mut way = Vec2::ZERO;
    play(&file("heavy_vehicle_far_behind"), |tick, agents| {
        way = place(agents, "anchor") + Vec2::new(-40.0, 20.0) - place(agents, "member");
        assert!(way.x > -1.0, "tick {tick}: {} past its slot", -way.x);
    });
    assert!(way.length() < 1.0, "{way} are left");
}

#[test]
fn a_member_slower_than_its_slot_still_falls_in_with_its_row() {
    for turn_rate in [None, Some(2.0)] {
        let mut scene = file("slot_faster_than_its_member");
        if let Some(turn_rate) = turn_rate {
            scene["agents"][1]["limits"] = json!({"max_turn_rate": turn_rate});
        }
        let mut aside = -100.0;
        play(&scene, |tick, agents| {
            let member = agent(agents, "member");
            aside = member.position.y;
            assert!(aside > -101.0, "{turn_rate:?}, tick {tick}: it goes away sideways");
        });
        assert!((-30.0..25.0).contains(&aside), "{turn_rate:?}: it ends at y = {aside}");
    }
}

#[test]
fn the_spacing_is_three_radii_by_default_and_at_least_two_and_a_fifth() {
    for radius in [4.0_f32, 8.0, 16.0] {
        for (spacing, expected) in [(None, 3.0 * radius), (Some(5.0), 2.2 * radius)] {
            let mut scene = file("column_of_two");
            for agent in scene["agents"].as_array_mut().expect("it is a list") {
                agent["radius"] = json!(radius);
            }
            if let Some(spacing) = spacing {
                scene["formations"][0]["spacing"] = json!(spacing);
            }
            assert_taken(&[1.0, 2.0].map(|row| Vec2::new(-expected * row, 0.0)), &end_of(&scene));
        }
    }
}

#[test]
fn a_column_stands_behind_its_anchor_where_the_anchor_came_from() {
    assert_taken(&[276.0, 252.0, 228.0].map(|y| Vec2::new(0.0, y)), &end_of(&file("column_that_comes_to_rest")));
}

#[test]
fn a_column_wheels_when_its_new_anchor_goes_another_way() {
    let (mut ticks, mut aside) = (0, 0.0_f32);
    play(&file("column_with_a_new_anchor"), |_, agents| {
        // For half a second after the first anchor is gone, the end of the column hardly moves sideways.
        let is_handed_over = agents.iter().all(|agent| agent.id != "anchor");
        if is_handed_over && ticks < 32 {
            ticks += 1;
            aside = aside.max(place(agents, "m10").y.abs());
        }
    });
    assert!(ticks == 32 && aside < 10.0, "{aside} aside after {ticks} ticks");
}
