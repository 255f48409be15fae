import { z } from 'zod';

/** Every error, whatever its status. */
export const problem = z
  .object({
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'What went wrong, in words' });

export const MEANINGS: Record<number, string> = {
  400: 'The body is not JSON, or a parameter is wrong',
  401: 'The key is missing or invalid, or nobody is signed in',
  403: 'Not allowed: scope, domain, or a place that may not ask this',
  404: 'There is no such thing',
  408: 'The request took too long to arrive',
  409: 'Not as things stand',
  413: 'Too large',
  415: 'Not JSON',
  422: 'JSON of the wrong shape; `errors` names each field',
  429: 'Too fast; `Retry-After` says when to come back',
  503: 'Not right now; `Retry-After` says when to come back',
};

export function errorAnswers(...statuses: number[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: MEANINGS[status] ?? 'An error',
        content: { 'application/json': { schema: problem } },
      },
    ]),
  );
}
