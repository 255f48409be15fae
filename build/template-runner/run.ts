import { assertApi } from './assert-api.ts';
import { assertThat } from './assert-that.ts';
import { Refusal, ScenarioFailure } from './failure.ts';
import { compile, LanguageError, RuntimeError } from './language/compile.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { Scenario, Template } from './template-file.ts';
import { isPlainObject, show } from './values.ts';
import { createWorld, type World } from './world.ts';

export interface Outcome {
  name: string;
  /** Why it failed; absent when it passed. */
  failure?: string;
  /** What went to the console. */
  logged: string[];
  /** The APIs that the template required. */
  required?: string[];
}

type Program = ReturnType<typeof compile>;

function reasonOf(error: unknown): string {
  if (error instanceof RuntimeError || error instanceof LanguageError)
    return `${error.reason} (${error.place ?? `line ${error.line}`})`;
  return error instanceof Error ? error.message : show(error);
}

const compiledCode = ({ code }: Template) =>
  compile(code, { where: (line) => `line ${line} of the template's code` });

/** The setup and the code are one program, but each counts its own lines. */
function compiledScenario({ setup }: Template, { code }: Scenario): Program {
  const before = setup.split('\n').length;
  const where = (line: number) =>
    line > before ? `line ${line - before}` : `line ${line} of the setup`;
  return compile(`${setup}\n${code}`, { where });
}

/** What the template sees as `data`: a tag's has the two callbacks, which are told apart by name. */
function dataFor({ type }: Template, given: unknown, { callable }: Sandbox) {
  const data: Record<string, unknown> = { ...(isPlainObject(given) ? given : {}) };
  for (const name of type === 'MACRO' ? [] : ['gtmOnSuccess', 'gtmOnFailure']) {
    const own = data[name];
    const run = (): unknown =>
      typeof own === 'function' ? Reflect.apply(own, undefined, []) : undefined;
    data[name] = callable(name, { run }, 'template');
  }
  return data;
}

/** More than any template has going on, and soon over for one that goes on for ever. */
const MOST_TASKS = 1000;

/**
 * What was to happen later happens now. The tag manager does not wait for it, so it fails a
 * scenario only when an assertion in it does not hold, or when it is not permitted.
 */
function runLater({ nextTask, logged }: World): void {
  for (let i = 0; i < MOST_TASKS; i++) {
    const task = nextTask();
    if (task === undefined) return;
    try {
      task();
    } catch (error) {
      if (error instanceof ScenarioFailure || error instanceof Refusal) throw error;
      logged.push([`(called later) ${reasonOf(error)}`]);
    }
  }
}

function scenarioGlobals(template: Template, program: Program, world: World) {
  const sandbox = createSandbox(world);
  return {
    // Public tests read fields of it without a declaration; there is nothing in it.
    data: {},
    assertApi: (name: unknown) => assertApi(String(name), sandbox.callsOf),
    assertThat,
    fail: (message: unknown) => {
      throw new ScenarioFailure(
        message === undefined
          ? 'fail was called'
          : typeof message === 'string'
            ? message
            : show(message),
      );
    },
    mock: sandbox.mock,
    mockObject: sandbox.mockObject,
    require: (name: unknown) => sandbox.require(name, 'test'),
    runCode: (given: unknown) => {
      const require = (name: unknown) => sandbox.require(name, 'template');
      return program({ data: dataFor(template, given, sandbox), require });
    },
  };
}

function runScenario(template: Template, program: Program, scenario: Scenario): Outcome {
  const { name, code } = scenario;
  const world = createWorld(template.grants);
  const outcome: Outcome = { name, logged: [] };
  // It would test nothing and seem to have passed.
  if (code.trim() === '') return { ...outcome, failure: 'it has no code' };
  try {
    compiledScenario(template, scenario)(scenarioGlobals(template, program, world));
    runLater(world);
  } catch (error) {
    outcome.failure = reasonOf(error);
  }
  outcome.logged = world.logged.map((values) => values.map(show).join(' '));
  outcome.required = [...world.required];
  return outcome;
}

function compiledOrWhyNot(template: Template): Program | string {
  try {
    return compiledCode(template);
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error;
    return `the template's code cannot be compiled: ${reasonOf(error)}`;
  }
}

/** Runs every scenario, each in a world of its own, as far as its outcome is asked for. */
export function* outcomesOf(template: Template): Generator<Outcome> {
  const program = compiledOrWhyNot(template);
  if (typeof program === 'string') {
    const names = template.scenarios.map(({ name }) => name);
    for (const name of names.length > 0 ? names : ["the template's code"])
      yield { name, failure: program, logged: [] };
    return;
  }
  for (const scenario of template.scenarios) yield runScenario(template, program, scenario);
}

export const runTemplate = (template: Template): Outcome[] => [...outcomesOf(template)];
