import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_SESSION } from '../http/openapi.ts';
import type { TrustedDate } from '../platform/trusted-date.ts';
import type { About } from './about.ts';
import { aboutView, settingsPatch, settingsView, storageView } from './schema.ts';
import type { Storage } from './storage.ts';
import type { SettingsStore } from './store.ts';

export interface SettingsParts {
  settings: SettingsStore;
  about: About;
  storage: Storage;
  date: Pick<TrustedDate, 'confirm'>;
  identity: Identity;
}

export const settingsRoutes =
  ({ settings, about, storage, date, identity }: SettingsParts): FastifyPluginAsyncZod =>
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

    app.get('/api/v1/settings/about', {
      schema: {
        tags,
        summary: 'What this appliance is and where it is reached',
        security: BY_SESSION,
        response: { 200: aboutView, ...errorAnswers(401, 403) },
      },
      onRequest,
      handler: async () => about(),
    });

    app.post('/api/v1/settings/clock/confirm', {
      schema: {
        tags,
        summary: 'Confirm that the clock is right after it has moved ahead',
        description: 'Old data is deleted by its date from then on.',
        security: BY_SESSION,
        response: { 200: aboutView, ...errorAnswers(401, 403, 503) },
      },
      onRequest,
      async handler() {
        await date.confirm();
        return about();
      },
    });

    app.get('/api/v1/settings/storage', {
      schema: {
        tags,
        summary: 'What is kept and what room it takes',
        security: BY_SESSION,
        response: { 200: storageView, ...errorAnswers(401, 403, 503) },
      },
      onRequest,
      handler: async ({ caller }) => storage(caller.tenantId),
    });
  };
