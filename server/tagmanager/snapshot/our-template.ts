import type { Definition } from '../api/schema.ts';
import { idOf, nameOf } from '../api/api.ts';
import { isRecord, textIn } from './read.ts';
import type { OurTemplate } from './schema.ts';
import { parsed, sectionsOf, withoutComments } from './tpl.ts';
import type { Sections } from './tpl.ts';

/** What our template is judged by. */
export interface Standard {
  /** The file as it is handed out, for whatever address. */
  template: string;
  /** Where this appliance is reached, as far as it knows. */
  addresses: readonly string[];
}

const CODE = 'SANDBOXED_JS_FOR_WEB_TEMPLATE';
const PATH = '/api/v1/events/collect';
const NAME = 'Vedette';

/** In code and in permissions alike. */
const ADDRESS = /(["'])(https?:\/\/[^"'\s]+?)\/api\/v1\/events\/collect\1/;

/** The name that a template of ours would have in the gallery. */
const IN_GALLERY = /^(gtm-)?(template-)?vedette(-gtm)?(-template)?$/i;

/** Judges many templates by one standard, which is read once. */
export function createTemplateJudge({ template, addresses }: Standard) {
  const wanted = matterOf(sectionsOf(template));
  const known = new Set(addresses.map(sameForm));

  return (object: Definition): OurTemplate | undefined => {
    const data = textIn(object, 'templateData');
    const gallery = object['galleryReference'];
    const found = {
      id: idOf('template', object),
      name: nameOf(object),
      origin: isRecord(gallery) ? ('gallery' as const) : ('local' as const),
    };
    // Only what was not sent along is believed for the name of where it came from.
    if (data === '') {
      const ours = isRecord(gallery) && IN_GALLERY.test(textIn(gallery, 'repository'));
      return ours ? { ...found, state: 'current', sends_to: null } : undefined;
    }
    if (!data.includes(PATH)) return undefined;
    const sections = sectionsOf(data);
    if (!isOurs(sections)) return undefined;
    const sendsTo = addressIn(sections);
    const state =
      matterOf(sections) !== wanted
        ? 'outdated'
        : sendsTo !== null && known.has(sameForm(sendsTo))
          ? 'current'
          : 'elsewhere';
    return { ...found, state, sends_to: sendsTo };
  };
}

/** Where a template of ours would send what it sees, when that is none of these addresses. */
export function addressOutside(object: Definition, addresses: readonly string[]): string | null {
  const sections = sectionsOf(textIn(object, 'templateData'));
  const sendsTo = isOurs(sections) ? addressIn(sections) : null;
  const isKnown = sendsTo !== null && addresses.map(sameForm).includes(sameForm(sendsTo));
  return isKnown ? null : sendsTo;
}

/** By what it does, and one more mark of ours: people rename things, and others write about us. */
function isOurs(sections: Sections): boolean {
  const code = withoutComments(sections.get(CODE) ?? '');
  if (!/(["'])[^"'\n]*\/api\/v1\/events\/collect\1/.test(code)) return false;
  return /(["'])\[Vedette\]/.test(code) || namesUs(parsed(sections.get('INFO')));
}

function namesUs(info: unknown): boolean {
  if (!isRecord(info)) return false;
  const brand = info['brand'];
  return info['displayName'] === NAME || (isRecord(brand) && brand['displayName'] === NAME);
}

function addressIn(sections: Sections): string | null {
  return ADDRESS.exec(withoutComments(sections.get(CODE) ?? ''))?.[2] ?? null;
}

/** Code, fields and permissions in one form, without the address. */
function matterOf(sections: Sections): string {
  const address = addressIn(sections);
  const neutral = (text: string) =>
    address === null ? text : text.replaceAll(`${address}${PATH}`, () => PATH);
  const code = (sections.get(CODE) ?? '').replace(/[ \t]+$/gm, '').replace(/\n{2,}/g, '\n');
  return JSON.stringify([
    neutral(code),
    parameters(sections.get('TEMPLATE_PARAMETERS')),
    neutral(permissions(sections.get('WEB_PERMISSIONS'))),
  ]);
}

function parameters(text = ''): string {
  const fields = parsed(text);
  return fields === undefined ? text : JSON.stringify(orderly(fields));
}

/** The tag manager notes in them who edited what, and keeps them in an order of its own. */
function permissions(text = ''): string {
  const all = parsed(text);
  if (!Array.isArray(all)) return text;
  const essence = all.map((one: unknown) => {
    const instance = isRecord(one) ? one['instance'] : undefined;
    if (!isRecord(instance)) return '';
    const { key, param } = instance;
    const params = Array.isArray(param) ? param.map((each) => JSON.stringify(orderly(each))) : [];
    return JSON.stringify([orderly(key), params.sort()]);
  });
  return JSON.stringify(essence.sort());
}

/** In one order, and without what says nothing: the tag manager writes out what is not set. */
function orderly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orderly);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, orderly(each)] as const)
    .filter(([, each]) => !isNothing(each));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isNothing(value: unknown): boolean {
  if (value === false || value === null || value === '' || value === undefined) return true;
  return Array.isArray(value) && value.length === 0;
}

function sameForm(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, hostname, port, pathname } = new URL(address);
  const host = hostname === 'localhost' || hostname === '[::1]' ? '127.0.0.1' : hostname;
  return `${protocol}//${host}:${port}${pathname.replace(/\/$/, '')}`;
}
