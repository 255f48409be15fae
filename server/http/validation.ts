import { parse } from 'node:querystring';
import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { problems } from '../platform/errors.ts';
import { fieldErrors } from '../platform/validation.ts';

/** A body of the wrong shape is 422; a query, path or header parameter that is wrong is 400. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const judged = schema.safeParse(data);
    if (judged.success) return { value: judged.data };
    const errors = fieldErrors(judged.error.issues);
    if (httpPart === 'body') return { error: problems.invalid(errors) };
    const words = errors.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
    return {
      error: problems.badRequest(`Wrong ${PARTS[httpPart ?? ''] ?? 'request'}: ${words}`, errors),
    };
  };
};

const PARTS: Record<string, string> = { querystring: 'query', params: 'path', headers: 'header' };

/** A broken percent-encoding would be read as other text; no query takes this name, so it is 400. */
export function parseQuery(text: string): Record<string, unknown> {
  try {
    decodeURIComponent(text);
    return { ...parse(text) };
  } catch {
    return { 'its percent-encoding': text };
  }
}
