//! Scenario files in web pages: the simulation of the `steerling` command, compiled to WebAssembly. `web/editor/build` makes it a
//! JavaScript module, which the pages in `web/editor` import. A page draws the scene itself, from lists of numbers.

mod frame;

use steerling_scenario::{Scenario, Simulation};
use wasm_bindgen::prelude::wasm_bindgen;

/// A scenario in motion.
#[wasm_bindgen]
pub struct Scene {
    simulation: Simulation,
    ticks: u64,
}

#[wasm_bindgen]
impl Scene {
    /// Reads a scenario file and places its agents. Throws what is wrong with the file.
    ///
    /// # Errors
    ///
    /// If the file is not valid. The error names the file and the place in it.
    #[wasm_bindgen(constructor)]
    pub fn new(file: &str, text: &str) -> Result<Self, String> {
        let scenario = Scenario::parse(file, text).map_err(|error| error.to_string())?;
        Ok(Self { simulation: frame::simulation(&scenario), ticks: scenario.ticks() })
    }

    /// Runs one tick.
    pub fn step(&mut self) {
        self.simulation.step();
    }

    /// The number of ticks to run according to the file.
    #[wasm_bindgen(getter)]
    pub fn ticks(&self) -> f64 {
        self.ticks as f64
    }

    /// The number of ticks that have run.
    #[wasm_bindgen(getter, js_name = ticksDone)]
    pub fn ticks_done(&self) -> f64 {
        self.simulation.ticks_done() as f64
    }

    /// The length of a tick, seconds.
    #[wasm_bindgen(getter)]
    pub fn tick(&self) -> f64 {
        self.simulation.tick()
    }

    /// The ids of the agents that are left, sorted.
    pub fn ids(&self) -> Vec<String> {
        self.simulation.agents().iter().map(|agent| agent.id.clone()).collect()
    }

    /// Four numbers for each agent, in the order of the ids: the position, the heading (rad, counterclockwise from +x), and the radius.
    pub fn agents(&self) -> Vec<f32> {
        frame::agents(&self.simulation)
    }

    /// The numbers of each obstacle, in the order of the file: the radius around its outline, 1 if the outline is closed or else 0,
    /// the number of its corners, and the position of each corner. A circle has one corner, its center.
    pub fn obstacles(&self) -> Vec<f32> {
        frame::obstacles(&self.simulation)
    }

    /// The hash of the state that `steerling run` reports after the same number of ticks.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> String {
        format!("{:016x}", self.simulation.state_hash())
    }
}

/// The JSON Schema of scenario files.
#[wasm_bindgen]
pub fn schema() -> String {
    steerling_scenario::schema().to_string()
}
