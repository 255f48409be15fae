import { z } from 'zod';

/** What a container is made of, in the order in which one can stand on the other. */
export const kinds = ['template', 'variable', 'trigger', 'tag'] as const;
export const kind = z.enum(kinds);

/**
 * An object of a container as the tag manager's API has it. What we do not know of is kept: an
 * update replaces the whole object.
 */
export const definition = z.record(z.string(), z.unknown()).meta({
  id: 'TagManagerDefinition',
  description:
    "The object as the tag manager's own API (v2) has it; a key of scope `read` sees of every API key in it the last four characters only",
});

export type Kind = z.infer<typeof kind>;
export type Definition = z.infer<typeof definition>;
