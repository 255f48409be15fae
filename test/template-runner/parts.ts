import { runTemplate } from '../../build/template-runner/run.ts';
import type { Template } from '../../build/template-runner/template-file.ts';

/** As the tag manager writes them: a string, a list, an object of these, or a boolean. */
type Setting = string | boolean | Setting[] | { [name: string]: Setting };

function written(value: Setting): unknown {
  if (typeof value === 'string') return { type: 1, string: value };
  if (typeof value === 'boolean') return { type: 8, boolean: value };
  if (Array.isArray(value)) return { type: 2, listItem: value.map(written) };
  return {
    type: 3,
    mapKey: Object.keys(value).map(written),
    mapValue: Object.values(value).map(written),
  };
}

/** A permission of a template's file. */
export function permission(publicId: string, settings: Record<string, Setting> = {}) {
  const param = Object.entries(settings).map(([key, value]) => ({ key, value: written(value) }));
  return { instance: { key: { publicId, versionId: '1' }, param }, isRequired: true };
}

/** A template's file with these sections. */
export function fileWith(sections: Record<string, string>): string {
  const all = { INFO: '{"type": "TAG"}', SANDBOXED_JS_FOR_WEB_TEMPLATE: '', ...sections };
  return Object.entries(all)
    .map(([name, text]) => `___${name}___\n\n${text}\n\n`)
    .join('\n');
}

export function templateWith(parts: Partial<Template> = {}): Template {
  const nothing = { type: 'TAG', code: '', setup: '', scenarios: [] };
  return { ...nothing, grants: new Map(), ...parts };
}

/** Why a scenario with this code fails; undefined when it passes. */
export function failureOf(code: string, parts: Partial<Template> = {}): string | undefined {
  const template = templateWith({ ...parts, scenarios: [{ name: 'It', code }] });
  return runTemplate(template)[0]?.failure;
}
