import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Config } from './config.ts';
import { registerFoundLate } from './core/chain/book-late.ts';
import { registerLag } from './features/deposits/watch/measure-lag.ts';
import { measureOperations } from './features/operations/measure-operations.ts';
import { createPoolKeyOpener } from './features/pools/keys/pool-key-opener.ts';
import { clearLocked, recordDefaults } from './features/settings/locked-settings.service.ts';
import { type CountingGateway, createExchangeGateway } from './integrations/exchanges/create-gateway.ts';
import { logNotices, measureVenues } from './integrations/exchanges/measure-venues.ts';
import type { AuditKeys } from './platform/audit/entry-hashes.ts';
import { watchAuditHead } from './platform/audit/watch-head.ts';
import { type Database, WHOLE_SCOPE } from './platform/db/database.ts';
import { recordSignInService } from './platform/identity/sign-in-service.ts';
import type { Logger } from './platform/observe/log.ts';
import { createMetrics, serveMetrics } from './platform/observe/metrics.ts';
import { type Keyring, loadKeyring } from './platform/secrets/keyring.ts';
import { countSecrets } from './platform/secrets/rotate-master-key.ts';
import type { OpeningBox } from './platform/secrets/worker-box.ts';
import { beat, endBeat } from './platform/work/heartbeat.store.ts';
import { createSmtp } from './platform/work/mail/smtp.ts';
import { registerWorkMeasures } from './platform/work/work-measures.ts';
import { WORKER_ACTOR } from './platform/work/worker-actor.ts';
import { agreeOnDepositKey } from './wiring/deposit-key.ts';
import { backgroundSettings } from './wiring/exchange-settings.ts';
import { describeOwnProgram, type OwnProgram } from './wiring/own-program.ts';
import { SEALED_TABLES } from './wiring/sealed-tables.ts';
import { startJobs } from './wiring/worker/job-queues.ts';
import { startLoops } from './wiring/worker/work-loops.ts';

const HEARTBEAT_MS = 10_000;
/** A worker without a heartbeat for this long counts as not working. */
const SILENCE_MS = 60_000;

export interface WorkerDeps {
  config: Config;
  /** For listening: see DATABASE_DIRECT_URL. */
  directUrl: string;
  db: Database;
  auditKeys: AuditKeys;
  log: Logger;
  seed: Uint8Array | null;
  /** Opens the keys of pools. Null: this worker opens only those that versions before sealed. */
  box: OpeningBox | null;
  /** Null: it runs below `npm start`. */
  program?: OwnProgram | null;
}

/** Creates the worker: the queue, every scheduled job, and a heartbeat. */
export async function startWorker({
  config,
  directUrl,
  db,
  auditKeys,
  log,
  seed,
  box,
  program = null,
}: WorkerDeps): Promise<{ stop: () => Promise<void> }> {
  await agreeOnDepositKey({ db, accountKey: config.depositAccountKey, seed });
  let beatAt = performance.now();
  const gateway = createExchangeGateway(backgroundSettings(config), {
    now: Date.now,
    onNotice: logNotices(log),
  });
  const metrics = await serveOwnMetrics({
    config,
    db,
    log,
    gateway,
    problem: () => (performance.now() - beatAt > SILENCE_MS ? 'No heartbeat was written for a minute' : null),
  });
  const workerId = randomUUID();
  const now = () => new Date();
  await recordDefaults({ db, base: config.settings, now });
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    recordSignInService(tx, config.hosted ? 'hosted' : 'embedded', now()),
  );
  await clearLocked({ db, base: config.settings, log, now, mayLoosen: true });
  const sendMail = createSmtp(config.smtpUrl, config.smtpFrom);
  const keyring = await loadKeyring(config.credentials);
  const jobs = await startJobs({ config, db, log, hasMailer: sendMail !== null, keyring });

  await reportUnreadable(db, keyring, log);
  if (!box) log.warn('no POOL_KEYS_IDENTITY: no pool can be connected, and keys of pools are not read');
  const loops = startLoops({
    config,
    directUrl,
    db,
    auditKeys,
    log,
    seed,
    sendMail,
    keyring,
    gateway,
    poolKeys: createPoolKeyOpener(keyring, box),
    queues: jobs.syncs,
  });
  const audit = await watchAuditHead({ db, dataDir: config.dataDir, log, now });
  const runs = {
    hasAuditKey: auditKeys.worker !== null,
    runsAs: program?.runsAs ?? null,
    problem: program && describeOwnProgram(program),
    poolKeysRecipients: box?.recipients ?? [],
  };
  const report = () =>
    beat(db, workerId, { problem: audit.problem(), noted: audit.noted() }, runs).then(
      () => {
        beatAt = performance.now();
      },
      (error) => log.warn({ err: error }, 'heartbeat failed'),
    );
  await report();
  const heartbeat = setInterval(report, HEARTBEAT_MS);
  log.info({ workerId }, 'worker started');
  return {
    async stop() {
      metrics?.close();
      clearInterval(heartbeat);
      await loops.stop();
      await gateway.close();
      await jobs.stop();
      await Promise.all([
        audit.stop(),
        endBeat(db, workerId).catch((error) => log.warn({ err: error }, 'heartbeat failed')),
      ]);
    },
  };
}

/** The metrics of this worker, when there is a port for them. */
async function serveOwnMetrics({
  config,
  db,
  log,
  gateway,
  problem,
}: Pick<WorkerDeps, 'config' | 'db' | 'log'> & {
  gateway: CountingGateway;
  problem: () => string | null;
}): Promise<Server | null> {
  if (!config.workerMetricsPort) return null;
  const metrics = createMetrics(db.pool);
  registerWorkMeasures(metrics);
  registerLag(metrics);
  registerFoundLate(metrics);
  measureOperations(metrics, { db, log });
  measureVenues(metrics, gateway);
  const listener = {
    port: config.workerMetricsPort,
    host: config.metricsHost,
    variable: 'WORKER_METRICS_PORT',
  };
  return serveMetrics(metrics, { ...listener, problem });
}

/** Logs stored secrets that no configured key opens: on screen their accounts look as if their keys were wrong. */
async function reportUnreadable(db: Database, keyring: Keyring, log: Logger): Promise<void> {
  const counts = await db.read(WHOLE_SCOPE, (tx) => countSecrets(tx, SEALED_TABLES));
  for (const { masterKeyId, count } of counts)
    if (!keyring.find(masterKeyId))
      log.error(
        { masterKeyId, secrets: count },
        'stored secrets lie under a master key that is not configured',
      );
}
