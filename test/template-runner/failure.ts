/** An assertion of a scenario does not hold, or the scenario gives up by `fail`. */
export class ScenarioFailure extends Error {}
