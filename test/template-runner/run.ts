import { assertApi } from './assert-api.ts';
import { assertThat } from './assert-that.ts';
import { ScenarioFailure } from './failure.ts';
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
}

type Program = ReturnType<typeof compile>;

/** A mistake in code, told with where it is. */
class Located extends Error {}

/** Tells errors of code by the line where that code's author finds it. */
function located<T>(run: () => T, where: (line: number) => string): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RuntimeError || error instanceof LanguageError)) throw error;
    const told = error.message.replace(/^line \d+: /, '');
    throw new Located(`${told} (${where(error.line)})`);
  }
}

const inTemplate = (line: number) => `line ${line} of the template's code`;

/** The setup and the code are one program, but each counts its own lines. */
function whereIn({ setup }: Template) {
  const before = setup.split('\n').length;
  return (line: number) => (line > before ? `line ${line - before}` : `line ${line} of the setup`);
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
 * scenario only when an assertion in it does not hold.
 */
function runLater({ nextTask, logged }: World): void {
  for (let i = 0; i < MOST_TASKS; i++) {
    const task = nextTask();
    if (task === undefined) return;
    try {
      task();
    } catch (error) {
      if (error instanceof ScenarioFailure) throw error;
      logged.push([`(called later) ${error instanceof Error ? error.message : show(error)}`]);
    }
  }
}

function scenarioGlobals(
  template: Template,
  program: Program,
  world: World,
  where: (line: number) => string,
) {
  const sandbox = createSandbox(world);
  // A mock is the test's code although the template calls it.
  const ofTest = (mock: unknown) =>
    typeof mock === 'function'
      ? (...args: unknown[]) =>
          located(() => Reflect.apply(mock, undefined, args) as unknown, where)
      : mock;
  const eachOfTest = (methods: unknown) =>
    isPlainObject(methods)
      ? Object.fromEntries(Object.entries(methods).map(([key, method]) => [key, ofTest(method)]))
      : methods;
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
    mock: (name: unknown, value: unknown) => sandbox.mock(name, ofTest(value)),
    mockObject: (name: unknown, methods: unknown) => sandbox.mockObject(name, eachOfTest(methods)),
    require: (name: unknown) => sandbox.require(name, 'test'),
    runCode: (given: unknown) => {
      const require = (name: unknown) => sandbox.require(name, 'template');
      return located(
        () => program({ data: dataFor(template, given, sandbox), require }),
        inTemplate,
      );
    },
  };
}

function runScenario(template: Template, program: Program, { name, code }: Scenario): Outcome {
  const world = createWorld(template.grants);
  const where = whereIn(template);
  const outcome: Outcome = { name, logged: [] };
  // It would test nothing and seem to have passed.
  if (code.trim() === '') return { ...outcome, failure: 'it has no code' };
  try {
    const globals = scenarioGlobals(template, program, world, where);
    located(() => compile(`${template.setup}\n${code}`)(globals), where);
    runLater(world);
  } catch (error) {
    outcome.failure = error instanceof Error ? error.message : show(error);
  }
  outcome.logged = world.logged.map((values) => values.map(show).join(' '));
  return outcome;
}

/** Runs every scenario, each in a world of its own. */
export function runTemplate(template: Template): Outcome[] {
  try {
    const program = located(() => compile(template.code), inTemplate);
    return template.scenarios.map((scenario) => runScenario(template, program, scenario));
  } catch (error) {
    if (!(error instanceof Located)) throw error;
    const names = template.scenarios.map(({ name }) => name);
    return (names.length > 0 ? names : ["the template's code"]).map((name) => ({
      name,
      failure: `the template's code cannot be compiled: ${error.message}`,
      logged: [],
    }));
  }
}
