//! `Queue` and `ClassicQueue`.

use serde_json::json;

use crate::playing::{TOUCHING, agent, end_of, file, place, play};
use crate::scaling::check_that_units_do_not_matter;

#[test]
fn an_agent_falls_back_to_its_headway() {
    let agents = end_of(&file("long_headway"));
    let gap = place(&agents, "ahead").x - place(&agents, "behind").x - 16.0;
    assert!((115.0..121.0).contains(&gap), "the gap is {gap} instead of 3 s at 40 units/s");
}

#[test]
fn agents_in_the_same_place_part_if_only_one_of_them_queues() {
    let agents = end_of(&file("queue_and_separation_in_the_same_place"));
    let distance = place(&agents, "a").distance(place(&agents, "b"));
    assert!(distance > 16.0, "they are {distance} apart");
}

#[test]
fn an_agent_that_wants_nothing_stands_in_any_unit_of_length() {
    let scene = file("walker_past_one_that_stands");
    check_that_units_do_not_matter("walker_past_one_that_stands", &scene, 300);
    let moved = place(&end_of(&scene), "standing").length();
    assert!(moved < 0.1, "it has moved {moved}");
}

#[test]
fn an_agent_stays_behind_a_slow_one_in_the_next_lane() {
    play(&file("slow_one_ahead_in_the_next_lane"), |tick, agents| {
        let gap = place(agents, "slow").x - place(agents, "behind").x;
        assert!(gap > 8.0, "tick {tick}: it is only {gap} behind");
    });
}

#[test]
fn a_queue_keeps_its_order_for_minutes() {
    play(&file("queue_for_minutes"), |tick, agents| {
        // The world is 1000 units wide.
        let first = place(agents, "a").x;
        let [b, c, d] = ["b", "c", "d"].map(|id| (first - place(agents, id).x).rem_euclid(1000.0));
        assert!(b < c && c < d, "tick {tick}: b is {b} behind, c {c}, d {d}");
    });
}

#[test]
fn groups_that_name_everybody_change_nothing_for_a_weak_crowd() {
    for seed in 1..=3 {
        let mut all = file("weak_crowd_in_a_queue");
        all["seed"] = json!(seed);
        let mut named = all.clone();
        // Agents are in group 1 by default.
        named["crowds"][0]["agent"]["behaviors"][1]["queue"]["groups"] = json!(1);
        for (one, other) in end_of(&all).iter().zip(&end_of(&named)) {
            let differs = one.position.distance(other.position);
            assert!(differs < 0.05, "seed {seed}: {} is {differs} away", one.id);
        }
    }
}

#[test]
fn an_agent_is_not_pushed_into_a_wall_while_it_ignores_other_groups() {
    let overlaps = play(&file("pushed_toward_a_wall"), |_, _| {}).collisions.with_obstacles;
    assert!(overlaps.max_depth < TOUCHING, "{overlaps:?}");
}

#[test]
fn agents_that_think_rarely_keep_their_order() {
    let summary = play(&file("queue_that_thinks_rarely"), |_, _| {});
    let gate = &summary.gates[0];
    assert!(gate.crossings >= 4 && gate.order_tau.is_some_and(|tau| tau > 0.99), "{gate:?}");
}

#[test]
fn an_agent_passes_through_those_whose_group_it_ignores() {
    let agents = end_of(&file("queue_that_ignores_a_group"));
    let (fast, slow) = (agent(&agents, "fast"), agent(&agents, "slow"));
    assert!(fast.velocity.x > 79.0 && fast.position.x > slow.position.x + 100.0, "{fast:?}");
}

#[test]
fn separation_of_weight_0_is_a_queue_without_separation() {
    let [weightless, without] =
        [json!({"style": "brake_and_separate", "separation": {"weight": 0}}), json!({"style": "brake_and_hard_stop"})]
            .map(|queue| {
                let mut scene = file("queue_with_separation");
                scene["agents"][0]["behaviors"][1]["queue"] = queue;
                place(&end_of(&scene), "a")
            });
    assert!(weightless.distance(without) < 1e-3, "{weightless} instead of {without}");
}
