/** An assertion of a scenario does not hold, or the scenario gives up by `fail`. */
export class ScenarioFailure extends Error {}

/** A call that the template's permissions do not cover. */
export class Refusal extends Error {}
