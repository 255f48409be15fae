/** An assertion of a scenario does not hold, or the scenario gives up by `fail`. */
export class ScenarioFailure extends Error {}

/** The template did what its permissions do not allow. */
export class PermissionRefused extends Error {}
