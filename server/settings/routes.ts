import { access, constants, stat } from 'node:fs/promises';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_SESSION } from '../http/openapi.ts';
import { problems } from '../platform/errors.ts';
import { isDoneWithin } from '../platform/patience.ts';
import type { TrustedDate } from '../platform/trusted-date.ts';
import type { About } from './about.ts';
import { aboutView, settingsPatch, settingsView, storageView } from './schema.ts';
import type { Storage } from './storage.ts';
import type { SettingsStore } from './store.ts';

export interface SettingsParts {
  settings: SettingsStore;
  about: About;
  storage: Storage;
  backUp: () => Promise<unknown>;
  date: Pick<TrustedDate, 'confirm'>;
  identity: Identity;
}

/** A large one goes on for longer than anybody waits for an answer. */
const BACKUP_WAIT_MS = 20_000;

export const settingsRoutes =
  ({ settings, about, storage, backUp, date, identity }: SettingsParts): FastifyPluginAsyncZod =>
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
      handler: async ({ body }) => {
        if (typeof body.backup_dir === 'string') await checkFolder(body.backup_dir);
        return settings.change(body);
      },
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
        summary: 'Confirm the date after the clock has moved ahead',
        description: 'From then on, old data is deleted by the new date.',
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

    app.post('/api/v1/settings/backup', {
      schema: {
        tags,
        summary: 'Make a backup now',
        security: BY_SESSION,
        response: { 200: storageView, ...errorAnswers(401, 403, 503) },
      },
      onRequest,
      handler: async ({ caller }) => {
        // Why there is none, or that it is still being made, stands in the answer.
        await isDoneWithin(backUp(), BACKUP_WAIT_MS).catch(() => undefined);
        return storage(caller.tenantId);
      },
    });
  };

/** A backup that cannot be made is better noticed now than when it is needed. */
async function checkFolder(folder: string): Promise<void> {
  const isGood = await access(folder, constants.W_OK | constants.X_OK)
    .then(() => stat(folder))
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (isGood) return;
  throw problems.invalid([
    { path: 'backup_dir', message: 'must be an existing folder that Vedette can write to' },
  ]);
}
