import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { createAlerts } from './alerts/alerts.ts';
import { createAlertListeners } from './alerts/listeners.ts';
import { alertRoutes } from './alerts/routes.ts';
import { alertTables } from './alerts/tables.ts';
import { buildApp } from './app.ts';
import { backupFile } from './backup/backup.ts';
import { createAdmission } from './events/admission.ts';
import { createCollect, isPixel } from './events/collect.ts';
import { openEvents } from './events/events.ts';
import type { EventOptions } from './events/events.ts';
import { ingestRoutes } from './events/ingest-routes.ts';
import { eventRoutes } from './events/routes.ts';
import { eventTables, journaledTables } from './events/tables.ts';
import { createUsual } from './events/usual.ts';
import { openMonitor } from './evaluator/monitor.ts';
import { evaluationRoutes } from './evaluator/routes.ts';
import { evaluatorTables } from './evaluator/tables.ts';
import { createClosing } from './closing.ts';
import { openHousekeeping } from './housekeeping.ts';
import { dashboardRoutes } from './http/dashboard.ts';
import { createHealth, healthRoutes } from './http/health.ts';
import { hidingKeys } from './http/hidden-keys.ts';
import { createIdentity } from './http/identity.ts';
import { createLimiter } from './http/limits.ts';
import { isVisitorByProxy } from './http/local.ts';
import { createIsProxy } from './http/proxies.ts';
import type { AnswerTimes } from './http/shared.ts';
import { NAMES, STRANGERS_PER_MINUTE, WEBHOOK_TRIES_PER_MINUTE } from './platform/bounds.ts';
import { hostFor, listenProblem, stopAnswering } from './listening.ts';
import { systemClock } from './platform/clock.ts';
import type { Clock } from './platform/clock.ts';
import { prepareDataDir, tryToWrite } from './platform/data-dir.ts';
import { openDatabase } from './platform/database.ts';
import { startProblems } from './platform/start-errors.ts';
import { inWords } from './platform/start-fault.ts';
import { findInstallation, orStartAnew, settleInstallation } from './platform/installation.ts';
import { installationTables } from './platform/installation-store.ts';
import { noFaults } from './platform/faults.ts';
import type { Faults } from './platform/faults.ts';
import type { Logger } from './platform/log.ts';
import type { Options } from './platform/options.ts';
import { openNotices } from './platform/notices.ts';
import { createPasswords } from './platform/passwords.ts';
import { letHeapGrow } from './platform/heap.ts';
import { openSecrets } from './platform/secrets.ts';
import type { KeyStoreAtHand } from './platform/secrets.ts';
import { trustedDateTables } from './platform/trusted-date-store.ts';
import { openSettingsFile } from './platform/settings-file.ts';
import { ruleRoutes } from './rules/routes.ts';
import { createRuleStore } from './rules/store.ts';
import { createAttempts } from './session/attempts.ts';
import { sessionRoutes } from './session/routes.ts';
import { createSignIn } from './session/sign-in.ts';
import { createSessionStore } from './session/store.ts';
import { initialSettings, settingsFileSchema } from './settings/file-schema.ts';
import { createAbout } from './settings/about.ts';
import { readAhead } from './settings/read-ahead.ts';
import { settingsRoutes } from './settings/routes.ts';
import { applianceSettings } from './settings/schema.ts';
import { createLostSecrets, moveSecrets } from './settings/secrets.ts';
import { createStorage } from './settings/storage.ts';
import { createSettingsStore } from './settings/store.ts';
import type { Quota } from './tagmanager/api/allowance.ts';
import type { Wait } from './tagmanager/api/pacer.ts';
import { changeRoutes } from './tagmanager/changes/routes.ts';
import { changeTables } from './tagmanager/changes/tables.ts';
import { callbackRoutes } from './tagmanager/connection/callback-routes.ts';
import { connectionRoutes } from './tagmanager/connection/routes.ts';
import { tagManagerRoutes } from './tagmanager/routes.ts';
import { snapshotRoutes } from './tagmanager/snapshot/routes.ts';
import { snapshotTables } from './tagmanager/snapshot/tables.ts';
import { createTagManager } from './tagmanager/tag-manager.ts';
import { bootstrap } from './tenants/bootstrap.ts';
import { createKeyMask } from './tenants/key-mask.ts';
import { createKeys } from './tenants/keys.ts';
import { createProfiles } from './tenants/profiles.ts';
import { keyRoutes, tenantRoutes } from './tenants/routes.ts';
import { createTenantStore } from './tenants/store.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { webhookTables } from './webhooks/tables.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

export interface StartOptions extends Omit<Options, 'logLevel'> {
  log: Logger;
  clock?: Clock;
  /** Milliseconds from some moment on, by a watch that nobody can set. */
  elapsed?: () => number;
  faults?: Faults;
  /** Keeps the key of the secrets where the system has such a thing; else it is in a file. */
  keyStore?: KeyStoreAtHand | Promise<KeyStoreAtHand>;
  /** How long the key store may hold up the start. */
  keyStorePatienceMs?: number;
  journalBounds?: EventOptions['journalBounds'];
  /** How often the API of the tag manager may be asked, where it is not Google's. */
  tagManagerQuota?: Quota;
  /** How it is waited for that quota, where that is not by a timer. */
  tagManagerWait?: Wait;
  /** How many connections there may be, where not as usual. */
  mostConnections?: number;
  /** How often it is looked whether bodies come in. */
  bodyCheckMs?: number;
  /** How long answers may take, where not as usual. */
  answerTimes?: AnswerTimes;
  /** Where the built dashboard lies. */
  dashboardDir?: string;
}

const DASHBOARD = fileURLToPath(new URL('../ui/dist', import.meta.url));

export const { version } = manifest;

/** All tables, in the order in which they came to be. */
export const migrations = [
  ...[...eventTables, ...alertTables, ...webhookTables, ...evaluatorTables],
  ...[...snapshotTables, ...changeTables, ...trustedDateTables, ...installationTables],
];

/** Opens what is on disk, puts the parts together, and listens. */
export const start = (options: StartOptions) =>
  orStartAnew(options, () =>
    open(options).catch((error: unknown) => {
      throw inWords(error, options.dataDir);
    }),
  );

async function open(options: StartOptions) {
  const { dataDir, log, clock = systemClock, faults = noFaults } = options;
  // Whoever looks for the key store may fail before anybody asks.
  void Promise.resolve(options.keyStore).catch(() => undefined);
  const readable = await prepareDataDir(dataDir);
  if (readable.length > 0) log.warn({ files: readable }, 'Other accounts may read these');
  for (const folder of ['', 'journal']) await tryToWrite(path.join(dataDir, folder));
  const found = findInstallation(dataDir);
  const said = openNotices({ dir: dataDir, clock, log });
  const ahead = await readAhead(dataDir);
  let backupDir = () => options.backupDir ?? ahead.backupDir;
  let catchUp = () => Promise.resolve();
  // First of all, since its lock keeps a second appliance away from everything else.
  const database = await openDatabase({
    dir: dataDir,
    backup: () => backupFile(dataDir, backupDir()),
    migrations,
    ...{ journaled: journaledTables, installation: ahead.installation, notices: said },
    catchUp: () => catchUp(),
    clock,
    faults,
    log,
  });
  const closing = createClosing(log);
  closing.add('database', 'database', () => database.close());

  try {
    const file = await openSettingsFile({
      dir: dataDir,
      schema: settingsFileSchema,
      initial: initialSettings,
      log,
      clock,
    });
    const installation = await settleInstallation({ dataDir, found, database, file, clock });
    const secrets = await openSecrets({
      ...{ dir: dataDir, keyStore: options.keyStore, move: moveSecrets(file), log },
      ...(options.keyStorePatienceMs !== undefined && { patienceMs: options.keyStorePatienceMs }),
    });
    closing.add('work', 'key store', () => secrets.close());
    const { cipher } = secrets;
    const passwords = createPasswords();
    const tenants = createTenantStore({ file });
    const settings = createSettingsStore({ file, overrides: overridesOf(options) });
    backupDir = () => settings.current().backup_dir;
    const sessions = createSessionStore({ file });
    closing.add('events', 'keys', () => tenants.saveLastUsed());

    const events = await openEvents({
      ...{ dataDir, database, notices: said, clock, faults, log },
      // What came in its last moments may be of a tenant that is gone.
      mostNames: (tenantId) => tenants.find(tenantId)?.max_names ?? NAMES,
      ...(options.journalBounds && { journalBounds: options.journalBounds }),
    });
    catchUp = () => events.flusher.flush();
    closing.add('events', 'events', () => events.close());

    const webhooks = createWebhooks({ database, tenants, cipher, clock, faults, log, version });
    const listeners = createAlertListeners(log);
    const { changed } = listeners;
    const alerts = createAlerts({ database, outbox: webhooks.outbox, changed });
    const rules = createRuleStore({ file });
    const monitor = await openMonitor({
      ...{ rules, tenants, events, alerts: alerts.store, outbox: webhooks.outbox },
      ...{ listeners, database, clock, faults, log },
    });
    closing.add('work', 'evaluator', () => monitor.evaluator.close());

    const askUsual = createUsual({
      ...{ counts: events.usualCounts, listening: monitor.listening, localTime: monitor.localTime },
      countedDays: (tenantId) => tenants.find(tenantId)?.rollup_retention_days ?? 0,
    });

    const housekeeping = await openHousekeeping({
      ...{ dataDir, backupDir, database, events, alerts, webhooks, monitor, tenants },
      ...{ clock, elapsed: options.elapsed, log },
    });
    const { date, backup, retention } = housekeeping;
    closing.add('work', 'jobs', housekeeping.close);

    const identity = createIdentity({
      tenants,
      sessions,
      settings,
      clock,
      limits: { strangers: createLimiter({ limit: () => STRANGERS_PER_MINUTE }) },
    });
    const desk = createSignIn({ sessions, tenants, passwords, attempts: createAttempts() });
    const rates = {
      events: () => settings.current().rate_limit_events,
      collect: () => settings.current().rate_limit_collect,
    };
    const admission = createAdmission({
      identity,
      intake: events.intake,
      clock,
      rates,
      limits: {
        events: createLimiter({ limit: rates.events }),
        collect: createLimiter({ limit: rates.collect }),
      },
    });
    // Some come up only while it runs.
    const lost = createLostSecrets({ file, secrets });
    const noticed = () =>
      [said, installation, file, secrets, lost, events, backup].flatMap(({ notices }) => notices);
    const { host } = options;
    // Which one it is when any will do is known once it listens.
    let { port, host: address } = options;
    const listening = () => ({ host, address, port, url: `http://${hostFor(host)}:${port}` });
    const startedAt = clock.now();
    let isBehindProxy = false;
    const isPublic = () => isBehindProxy || settings.current().public_url !== null;
    const about = createAbout({
      ...{ version, dataDir, startedAt, listening, settings },
      needsPassword: () => isPublic() && sessions.password() === null,
      notices: () => [...noticed(), ...secrets.remarks],
      clockJump: date.jump,
    });
    const keys = createKeys({ tenants, cipher });
    const tagManager = createTagManager({
      ...{ file, database, events, tenants, sessions, keys, cipher },
      ...{ about, listening, clock, log },
      ...(options.tagmanagerEndpoints !== undefined && { endpoints: options.tagmanagerEndpoints }),
      ...(options.tagManagerQuota && { quota: options.tagManagerQuota }),
      ...(options.tagManagerWait && { wait: options.tagManagerWait }),
    });
    closing.add('work', 'tag manager', () => tagManager.close());
    const collect = createCollect({ intake: events.intake, admission, log });
    const health = createHealth({
      ...events.checks,
      ...monitor.evaluator.checks,
      ...backup.checks,
    });
    const opened = Promise.withResolvers<undefined>();
    const app = await buildApp({
      version,
      opened: opened.promise,
      connections: {
        isProxy: createIsProxy(() => settings.current().trusted_proxies),
        most: options.mostConnections,
        checkMs: options.bodyCheckMs,
      },
      answerTimes: options.answerTimes,
      log,
      identity,
      ingest: ingestRoutes({ intake: events.intake, admission, collect }),
      shortcut(request, response) {
        isBehindProxy ||= isVisitorByProxy(request);
        const taken = isPixel(request);
        if (taken) collect(request, response);
        return taken;
      },
      routes: [
        eventRoutes({
          ...{ ...events, askUsual, identity, clock },
          watched: (tenantId) => rules.list(tenantId, {}).map(({ config }) => config),
        }),
        ruleRoutes({ ...monitor, rules, identity, clock }),
        evaluationRoutes({ ...monitor, identity, clock }),
        alertRoutes({ ...alerts, identity, clock }),
        webhookRoutes({
          ...webhooks,
          ...{ identity, clock },
          tries: createLimiter({ limit: () => WEBHOOK_TRIES_PER_MINUTE }),
        }),
        tenantRoutes({
          profiles: createProfiles({ tenants, cipher }),
          ...webhooks,
          ...{ identity, clock },
        }),
        keyRoutes({ tenants, keys, identity, clock }),
        hidingKeys(createKeyMask({ tenants, keys }), [
          tagManagerRoutes({ ...tagManager, identity, clock }),
          connectionRoutes({ ...tagManager, identity }),
          snapshotRoutes({ ...tagManager, identity }),
          changeRoutes({ ...tagManager, identity, clock }),
        ]),
        callbackRoutes(tagManager),
        sessionRoutes({ sessions, desk, identity, clock }),
        settingsRoutes({
          ...{ settings, identity, about, date },
          storage: createStorage({ dataDir, backup, events }),
          backUp: backup.run,
        }),
        dashboardRoutes({ dir: options.dashboardDir ?? DASHBOARD, identity }),
        healthRoutes(health),
      ],
      metrics: [...events.metrics, ...monitor.evaluator.metrics, ...webhooks.deliverer.metrics],
    });
    closing.add('work', 'answers', async () => {
      events.streams.close();
      await stopAnswering(app);
    });
    closing.add('work', 'webhooks', () => webhooks.deliverer.close());

    for (const notice of [...noticed(), ...secrets.remarks]) log.warn(notice);
    await app.listen({ host, port }).catch((error: unknown) => {
      throw listenProblem(error, options);
    });
    ({ port, address } = app.server.address() as AddressInfo);
    // After everything that can keep it from starting, since the key is shown this once.
    const firstKey = await bootstrap({ tenants, cipher, passwords }, options, clock.now());
    opened.resolve(undefined);
    webhooks.deliverer.start();
    void tagManager.start();
    await monitor.evaluator.start();
    const { url } = listening();
    letHeapGrow();
    log.info({ url, dataDir, version }, 'Vedette is listening');

    return {
      app,
      url,
      /** Its id, which never changes. */
      installation: installation.id,
      /** What is to be known at this moment; some of it comes up, or goes, while it runs. */
      get notices() {
        return [...noticed(), ...date.notices];
      },
      get secretsIn() {
        return secrets.secretsIn;
      },
      /** The key made on the very first start, to be shown once. */
      firstKey,
      /** Opens the dashboard once, within ten minutes. */
      signInUrl: () => `${url}/sign-in#token=${desk.createSignInToken(clock.now())}`,
      runRetention: retention.run,
      backUp: backup.run,
      /** Hears of the alerts that each cycle makes; returns what ends that. */
      onAlert: listeners.onAlert,
      /** Hears when alerts were made, got another state, or went; returns what ends that. */
      onAlertsChanged: listeners.onChanged,
      /** Open alerts of all tenants. */
      openAlerts: alerts.rollups.open,
      /** What `GET /health` answers. */
      health,
      /** Runs the cycle that is due, if any: after the machine slept, or for tests. */
      wake: monitor.evaluator.tick,
      /** Sends everything that is due by now, for tests. */
      deliverDue: webhooks.deliverer.deliverDue,
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

export type Appliance = Awaited<ReturnType<typeof start>>;

function overridesOf(options: StartOptions) {
  const { publicUrl, trustedProxies, backupDir, rateLimitEvents, rateLimitCollect } = options;
  const given = {
    ...(publicUrl !== undefined && { public_url: publicUrl }),
    ...(trustedProxies !== undefined && { trusted_proxies: trustedProxies.split(',') }),
    ...(backupDir !== undefined && { backup_dir: backupDir }),
    ...(rateLimitEvents !== undefined && { rate_limit_events: rateLimitEvents }),
    ...(rateLimitCollect !== undefined && { rate_limit_collect: rateLimitCollect }),
  };
  const judged = applianceSettings.partial().safeParse(given);
  if (judged.success) return judged.data;
  throw startProblems.option(
    judged.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '),
  );
}
