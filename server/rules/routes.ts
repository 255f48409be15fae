import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_KEY_OR_SESSION } from '../http/openapi.ts';
import { uuid } from '../http/schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { createPreview } from './preview.ts';
import {
  newRule,
  preview as previewView,
  previewDraft,
  rule,
  rulePatch,
  rulesQuery,
} from './schema.ts';
import type { RuleState, RuleView } from './schema.ts';
import type { Rule, RuleStore } from './store.ts';

export interface RuleParts {
  rules: RuleStore;
  states: { get(rule: Rule): RuleState | undefined };
  preview: ReturnType<typeof createPreview>;
  identity: Identity;
  clock: Clock;
}

type Later = 'created_at' | 'updated_at' | 'last_evaluated_at' | 'last_verdict';

const byId = z.strictObject({ rule_id: uuid });

export const ruleRoutes =
  ({ rules, states, preview, identity, clock }: RuleParts): FastifyPluginAsyncZod =>
  async (app) => {
    const about = (summary: string) => ({ tags: ['Rules'], summary, security: BY_KEY_OR_SESSION });
    const reads = identity.requires({ scope: 'read' });
    const changes = identity.requires({ scope: 'full' });

    function viewOf(one: Rule): RuleView {
      const state = states.get(one);
      const { id, name, rule_type, config, is_active, tags, category, created_at, updated_at } =
        one;
      return {
        ...({ id, name, rule_type, config, is_active, tags, category } as Omit<RuleView, Later>),
        created_at,
        updated_at,
        last_evaluated_at: state ? new Date(state.evaluatedAt).toISOString() : null,
        last_verdict: state?.verdict ?? null,
      };
    }

    app.get('/api/v1/rules', {
      schema: {
        ...about('List rules, newest first'),
        querystring: rulesQuery,
        response: { 200: z.array(rule), ...errorAnswers(400, 401, 403, 429) },
      },
      onRequest: reads,
      handler: async ({ caller, query: { skip, limit, ...filter } }) =>
        rules
          .list(caller.tenantId, filter)
          .slice(skip, skip + limit)
          .map(viewOf),
    });

    app.post('/api/v1/rules', {
      schema: {
        ...about('Make a rule; it is evaluated from the next cycle on'),
        body: newRule,
        response: { 201: rule, ...errorAnswers(400, 401, 403, 409, 422, 503) },
      },
      onRequest: changes,
      handler: async ({ caller, body }, reply) =>
        reply.code(201).send(viewOf(await rules.create(caller.tenantId, body, clock.now()))),
    });

    app.post('/api/v1/rules/preview', {
      config: { onlyReads: true },
      schema: {
        ...about('What a rule would have done in the past'),
        body: previewDraft,
        response: { 200: previewView, ...errorAnswers(400, 401, 403, 422, 429, 503) },
      },
      onRequest: reads,
      handler: async ({ caller, body }) => preview(caller.tenantId, body, clock.now()),
    });

    app.get('/api/v1/rules/:rule_id', {
      schema: {
        ...about('Read a rule'),
        params: byId,
        response: { 200: rule, ...errorAnswers(400, 401, 403, 404) },
      },
      onRequest: reads,
      handler: async ({ caller, params }) => viewOf(rules.get(caller.tenantId, params.rule_id)),
    });

    app.patch('/api/v1/rules/:rule_id', {
      schema: {
        ...about('Change what is supplied; a config is replaced as a whole'),
        params: byId,
        body: rulePatch,
        response: { 200: rule, ...errorAnswers(400, 401, 403, 404, 422, 503) },
      },
      onRequest: changes,
      handler: async ({ caller, params, body }) =>
        viewOf(await rules.change(caller.tenantId, params.rule_id, body, clock.now())),
    });

    app.delete('/api/v1/rules/:rule_id', {
      schema: {
        ...about('Delete a rule; its alerts stay'),
        params: byId,
        response: {
          204: z.null().describe('Done; no body'),
          ...errorAnswers(400, 401, 403, 404, 503),
        },
      },
      onRequest: changes,
      handler: async ({ caller, params }, reply) => {
        await rules.remove(caller.tenantId, params.rule_id);
        return reply.code(204).send(null);
      },
    });
  };
