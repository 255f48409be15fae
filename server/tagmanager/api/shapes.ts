import { z } from 'zod';
import { faults } from '../fault-words.ts';
import type { Definition, Kind } from './schema.ts';

const text = z.string();
const words = text.nullish().transform((value) => value ?? '');

export const account = z.object({ accountId: text, name: words });

export const container = z.object({
  ...{ accountId: text, containerId: text, publicId: words, name: words },
  usageContext: z
    .array(text)
    .nullish()
    .transform((value) => value ?? []),
});

export const workspace = z.object({
  ...{ accountId: text, containerId: text, workspaceId: text, name: words },
  description: text.nullish().transform((value) => value ?? null),
});

/** An object as it is: only what is relied on is looked at. */
function like(shape: z.ZodRawShape) {
  const relied = z.object(shape);
  return z.custom<Definition>((value) => relied.safeParse(value).success);
}

/** Without its fingerprint no object could be changed safely. */
export const object = (kind: Kind) =>
  like({ [`${kind}Id`]: text, name: text, fingerprint: text, type: text.optional() });

export const builtInVariable = like({ type: text, name: text });

const liveObjects = (kind: Kind) =>
  z
    .array(like({ [`${kind}Id`]: text, name: text, type: text.optional() }))
    .nullish()
    .transform((value) => value ?? []);

export const liveVersion = z.object({
  containerVersionId: text,
  name: words,
  tag: liveObjects('tag'),
  trigger: liveObjects('trigger'),
  variable: liveObjects('variable'),
  customTemplate: liveObjects('template'),
});

const entity = z.looseObject({ changeStatus: words });

export const status = z.object({
  workspaceChange: z
    .array(entity)
    .nullish()
    .transform((value) => value ?? []),
  mergeConflict: z
    .array(z.unknown())
    .nullish()
    .transform((value) => value ?? []),
});

export type Entity = z.infer<typeof entity>;

/** One page of a list: an empty list is left out of an answer. */
export const page = <T extends z.ZodType>(list: string, one: T) =>
  z.object({ [list]: z.array(one).nullish(), nextPageToken: text.nullish() }).transform((told) => ({
    items: (told[list] ?? []) as z.output<T>[],
    next: told['nextPageToken'] as string | null | undefined,
  }));

/** What is answered is not what the API answers: something else may be in between. */
export function read<T extends z.ZodType>(shape: T, json: unknown): z.output<T> {
  const told = shape.safeParse(json);
  if (!told.success) throw faults.unreachable("what was answered is not the tag manager's");
  return told.data;
}
