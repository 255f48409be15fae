import { parse } from 'yaml';
import { grantsIn, type Grants } from './permissions.ts';
import { isPlainObject } from './values.ts';

export interface Scenario {
  name: string;
  /** Empty when the file has no text for it. */
  code: string;
}

export interface Template {
  /** TAG, MACRO (a variable) and so on, as the file itself says. */
  type: string;
  code: string;
  grants: Grants;
  setup: string;
  scenarios: Scenario[];
}

/** The file is no web template that can be read. The message is a sentence for a person. */
export class UnreadableTemplate extends Error {}

const MARKER = /^___([A-Z_]+)___[ \t]*$/;

/** The sections by name. What stands before the first marker belongs to none. */
function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const name = MARKER.exec(line)?.[1];
    if (name === undefined) current.push(line);
    else sections.set(name, (current = []));
  }
  return new Map([...sections].map(([name, lines]) => [name, lines.join('\n')]));
}

/** The parser's reason, without the piece of text that it shows on further lines. */
function reasonIn(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, (\.\.\.)?".*|:?\n.*/s, '');
}

/** The tag manager does not mind them, so there are published templates that have some. */
function withoutTrailingCommas(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/gs, (_, kept?: string) => kept ?? '');
}

function json(sections: Map<string, string>, name: string): unknown {
  const text = sections.get(name) ?? '';
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(withoutTrailingCommas(text));
  } catch (error) {
    throw new UnreadableTemplate(`Its section ${name} is not valid JSON: ${reasonIn(error)}.`);
  }
}

function yaml(sections: Map<string, string>, name: string): unknown {
  try {
    // The tag manager's editor does not mind a key that stands there twice.
    return parse(sections.get(name) ?? '', { uniqueKeys: false, logLevel: 'error' });
  } catch (error) {
    throw new UnreadableTemplate(`Its section ${name} is not valid YAML: ${reasonIn(error)}.`);
  }
}

/** YAML takes a name such as 404 for a number. */
const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function scenariosIn(tests: unknown): Scenario[] {
  const list = isPlainObject(tests) ? (tests.scenarios ?? []) : [];
  if (!Array.isArray(list) || !list.every(isPlainObject))
    throw new UnreadableTemplate('Its section TESTS does not hold a list of scenarios.');
  return list.map(({ name, code }, index) => ({
    name: text(name) || `Untitled test ${index + 1}`,
    code: typeof code === 'string' ? code : '',
  }));
}

/** Takes the text of a `.tpl` file apart. */
export function readTemplate(source: string): Template {
  const sections = sectionsOf(source);
  const code = sections.get('SANDBOXED_JS_FOR_WEB_TEMPLATE');
  if (code === undefined) {
    if (sections.has('SANDBOXED_JS_FOR_SERVER'))
      throw new UnreadableTemplate('It is a template for a server container, not for the web.');
    throw new UnreadableTemplate(
      'It is not a web template: it has no section SANDBOXED_JS_FOR_WEB_TEMPLATE.',
    );
  }
  const info = json(sections, 'INFO');
  const permissions = json(sections, 'WEB_PERMISSIONS') ?? [];
  if (!Array.isArray(permissions))
    throw new UnreadableTemplate('Its section WEB_PERMISSIONS does not hold a list.');
  const tests = yaml(sections, 'TESTS');
  if (tests !== null && !isPlainObject(tests))
    throw new UnreadableTemplate('Its section TESTS does not hold scenarios.');
  return {
    type: isPlainObject(info) ? text(info.type) : '',
    // The editor counts from the line after the empty one that it writes before the code.
    code: code.replace(/^\n/, ''),
    grants: grantsIn(permissions),
    setup: isPlainObject(tests) ? text(tests.setup) : '',
    scenarios: scenariosIn(tests),
  };
}
