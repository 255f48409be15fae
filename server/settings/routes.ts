import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_SESSION } from '../http/openapi.ts';
import { settingsPatch, settingsView } from './schema.ts';
import type { SettingsStore } from './store.ts';

export const settingsRoutes =
  ({
    settings,
    identity,
  }: {
    settings: SettingsStore;
    identity: Identity;
  }): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Settings'];
    const onRequest = identity.requires({ scope: 'full', session: 'only', dashboard: true });

    app.get('/api/v1/settings', {
      schema: {
        tags,
        summary: 'Settings of the whole appliance, as they hold now',
        security: BY_SESSION,
        response: { 200: settingsView, ...errorAnswers(401, 403) },
      },
      onRequest,
      handler: async () => settings.view(),
    });

    app.patch('/api/v1/settings', {
      schema: {
        tags,
        summary: 'Change settings; start options stay as they are',
        security: BY_SESSION,
        body: settingsPatch,
        response: { 200: settingsView, ...errorAnswers(400, 401, 403, 409, 422, 503) },
      },
      onRequest,
      handler: async ({ body }) => settings.change(body),
    });
  };
