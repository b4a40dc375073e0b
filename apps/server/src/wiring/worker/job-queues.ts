import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import { createOwnerLinks } from '../../core/outbox/owner-link.ts';
import { createLiveSettings } from '../../core/settings/live-settings.ts';
import { createStripeSync } from '../../features/billing/sync-customer.ts';
import { createClerkSync } from '../../features/people/hosted/clerk-sync.ts';
import { createBilling } from '../../integrations/billing/create-billing.ts';
import { createChainSender } from '../../integrations/chain/chain-sender.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { createStatements } from '../../platform/db/statements.ts';
import { originsOf } from '../../platform/identity/origins.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { createJobQueue } from '../../platform/work/queue.ts';
import { retireQueues, startScheduledJobs } from '../../platform/work/scheduled-jobs.ts';
import { startSyncs } from '../../platform/work/sync-jobs.ts';
import type { WorkLoop } from '../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { createChainReading } from '../chain-reading.ts';
import { openDirectory } from '../connect-hosted.ts';
import { createSchedule } from './schedule.ts';

/** Time for jobs to end before the process does. */
const STOP_TIMEOUT_MS = 8_000;

/**
 * Starts the queues of jobs: recurring ones at their times, and the readings that events of vendors ask for.
 * @returns `syncs` are the queues that are woken by their name
 */
export async function startJobs({
  config,
  db,
  log,
  hasMailer,
  keyring,
}: {
  config: Config;
  db: Database;
  log: Logger;
  hasMailer: boolean;
  keyring: Keyring;
}): Promise<{ syncs: Record<string, Pick<WorkLoop, 'wake'>>; stop(): Promise<void> }> {
  const now = () => new Date();
  const statements = createStatements(db.pool);
  const boss = createJobQueue(statements, log);
  await boss.start();

  const { invoicingCron, retention } = config;
  const origin = originsOf(config.publicUrl, config.port).main;
  const settings = createLiveSettings({ db, base: config.settings });
  const billing = config.billing && createBilling(config.billing);
  const directory = config.hosted && (await openDirectory(config.hosted));
  const jobs = createSchedule({
    db,
    log,
    now,
    settings,
    invoicingCron,
    retention,
    payouts: payoutsOf(config, log),
    subscriptions: billing && {
      billing,
      graceDays: config.billingGraceDays,
      hasMailer,
      origin,
      links: createOwnerLinks(keyring, origin, 'community'),
    },
    attention: { keyring, hasMailer, origin },
    directory,
  });
  await retireQueues(
    db,
    jobs.map(({ name }) => name),
  );
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => sql`SELECT app.take_over_events()`.execute(tx.sql));
  await startScheduledJobs(boss, { jobs, db, statements, log });
  const syncs: Record<string, Pick<WorkLoop, 'wake'>> = {};
  if (billing)
    syncs['stripe-sync'] = await startSyncs(boss, {
      queue: 'stripe-sync',
      statements,
      log,
      sync: createStripeSync({ db, billing, log, now }),
    });
  if (directory)
    syncs['clerk-sync'] = await startSyncs(boss, {
      queue: 'clerk-sync',
      statements,
      log,
      sync: createClerkSync({ db, directory, log, now }),
    });
  return { syncs, stop: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }) };
}

function payoutsOf(config: Config, log: Logger): Parameters<typeof createSchedule>[0]['payouts'] {
  const { chain } = config;
  if (chain.rpcUrls.length === 0) return null;
  return {
    chain: createChainSender(chain),
    chainId: chain.chainId,
    tokenAddress: chain.tokenAddress.toLowerCase(),
    reading: createChainReading(config, log),
  };
}
