import type { Kind } from '$server/tagmanager/api/schema.ts';

interface Words {
  one: string;
  many: string;
}

/** In the order in which people look for them. */
export const KINDS: Record<Kind, Words> = {
  tag: { one: 'tag', many: 'tags' },
  trigger: { one: 'trigger', many: 'triggers' },
  variable: { one: 'variable', many: 'variables' },
  template: { one: 'template', many: 'templates' },
};

export const isKind = (text: string | null): text is Kind =>
  text !== null && Object.hasOwn(KINDS, text);

export const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Where an object is shown in the dashboard. */
export const addressOf = ({ kind, id }: { kind: Kind; id: string }): string =>
  `/tag-manager/container?kind=${kind}&id=${encodeURIComponent(id)}`;
