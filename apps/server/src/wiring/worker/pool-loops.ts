import type { Config } from '../../config.ts';
import { createOwnerLinks } from '../../core/outbox/owner-link.ts';
import type { LiveSettings } from '../../core/settings/live-settings.ts';
import { createAnswering } from '../../features/pools/exchange/answer-requests.ts';
import { deleteOldQuestions } from '../../features/pools/exchange/exchange-requests.store.ts';
import { tellMembers } from '../../features/pools/flows/tell-members.ts';
import type { HarvestWorker } from '../../features/pools/harvest/harvest-worker.ts';
import { takeHarvestTurn } from '../../features/pools/harvest/take-harvest-turn.ts';
import { resealPoolKeys } from '../../features/pools/keys/sealed-pool-keys.ts';
import { readDuePools } from '../../features/pools/reading/read-pools.ts';
import { createTradingBot } from '../../integrations/trading-bot/create-trading-bot.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { originsOf } from '../../platform/identity/origins.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { payoutSettings } from '../chain-settings.ts';

/** Interval between checks for work without a wake-up. */
const LOOK_EVERY_MS = 10_000;
/** A step that waits looks again after five seconds at the earliest. */
const LOOK_AT_HARVEST_EVERY_MS = 2_000;
/** A call waits ten seconds for its answer, also where a wake-up was missed. */
const LOOK_AT_QUESTIONS_EVERY_MS = 1_000;
const TIDY_POOL_KEYS_EVERY_MS = 60_000;
/** A new pool is read within this time. */
const LOOK_AT_POOLS_EVERY_MS = 5_000;
const READ_POOLS_EVERY_MS = 60_000;

/** Starts the loops for pools, by the table of their work. */
export function startPoolLoops({
  config,
  db,
  log,
  keyring,
  settings,
  poolKeys,
  venue,
}: Pick<HarvestWorker, 'poolKeys' | 'venue'> & {
  config: Config;
  db: Database;
  log: Logger;
  keyring: Keyring;
  settings: LiveSettings;
}): Record<string, WorkLoop> {
  const now = () => new Date();
  const bot = createTradingBot(config.tradingBot, { now });
  const harvest = { poolKeys, venue, bot };
  const answering = createAnswering({ ...harvest, db, log, now });
  const questions = startWorkLoop({
    name: 'calls about pools',
    everyMs: LOOK_AT_QUESTIONS_EVERY_MS,
    log,
    turn: answering.turn,
  });
  const loops: Record<string, WorkLoop> = {
    pool_exchange_request: {
      wake: questions.wake,
      async stop() {
        await questions.stop();
        await answering.settle();
      },
    },
    pool_key: startWorkLoop({
      name: 'keys of pools',
      everyMs: TIDY_POOL_KEYS_EVERY_MS,
      log,
      turn: async () => {
        await resealPoolKeys({ db, poolKeys, log });
        await db.write(WHOLE_SCOPE, WORKER_ACTOR, deleteOldQuestions);
        return false;
      },
    }),
    pool_exchange_read: startWorkLoop({
      name: 'pool reading',
      everyMs: LOOK_AT_POOLS_EVERY_MS,
      log,
      turn: () => readDuePools({ db, poolKeys, venue, now: Date.now, everyMs: READ_POOLS_EVERY_MS }),
    }),
  };
  if (config.chain.rpcUrls.length === 0) return loops;

  loops.pool_withdrawal = startWorkLoop({
    name: 'notices to members',
    everyMs: LOOK_EVERY_MS,
    log,
    turn: () => tellMembers({ db }),
  });
  const worker = {
    ...harvest,
    db,
    log,
    now,
    chain: { ...payoutSettings(config, settings), tokenLimits: config.poolTokenLimits },
    settings,
    links: createOwnerLinks(keyring, originsOf(config.publicUrl, config.port).main, 'pool'),
  };
  loops.harvest_cycle = startWorkLoop({
    name: 'harvest',
    everyMs: LOOK_AT_HARVEST_EVERY_MS,
    log,
    turn: async () => {
      await settings.refresh();
      return takeHarvestTurn(worker);
    },
  });
  return loops;
}
