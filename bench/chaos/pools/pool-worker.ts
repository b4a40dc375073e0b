import { setTimeout as sleep } from 'node:timers/promises';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { pino } from 'pino';
import { createOwnerLinks } from '../../../apps/server/src/core/outbox/owner-link.ts';
import { watchChain } from '../../../apps/server/src/features/deposits/watch/watch-chain.ts';
import { createPoolDepositReceiver } from '../../../apps/server/src/features/pools/deposits/receive-pool-deposits.ts';
import type { HarvestWorker } from '../../../apps/server/src/features/pools/harvest/harvest-worker.ts';
import { takeHarvestTurn } from '../../../apps/server/src/features/pools/harvest/take-harvest-turn.ts';
import { createProxyReceiver } from '../../../apps/server/src/features/pools/proxy/receive-arrivals.ts';
import { takeTransferTurn } from '../../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { setUpWallets } from '../../../apps/server/src/features/transfers/wallets/set-up-wallets.ts';
import { createExchangeGateway } from '../../../apps/server/src/integrations/exchanges/create-gateway.ts';
import { createTradingBot } from '../../../apps/server/src/integrations/trading-bot/create-trading-bot.ts';
import { createPool } from '../../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts';
import { settingsAt } from '../../../tests/support/exchanges/loopback-venue.ts';
import { AUDIT_KEY, KEYRING, POOL_KEYS } from '../../../tests/support/test-keys.ts';
import { watchOf } from '../../../tests/support/world/chain-watch.ts';
import { engineOf } from '../../../tests/support/world/transfer-engine.ts';

// A worker that only harvests pools, with the transfers and the chain that they need. KILL_AT names a step at which it
// kills itself, as hard as kill -9.
const {
  DATABASE_URL = '',
  RPC_URL = '',
  TOKEN_ADDRESS = '',
  VENUE_URL = '',
  BOT_URL = '',
  BOT_SECRET = '',
  CLOCK_START = '0',
  CLOCK_SPEED = '1',
  KILL_AT,
} = process.env;
const start = Number(CLOCK_START);
const nowMs = () => start + Math.floor((Date.now() - start) * Number(CLOCK_SPEED));
const now = () => new Date(nowMs());
const log = pino({ level: 'silent' });
const pool = createPool({ url: DATABASE_URL, applicationName: 'chaos-pools', maxConnections: 8 });
const db = createDatabase({ pool, auditKey: AUDIT_KEY, now: () => new Date() });
const atStep = (step: string) => {
  if (step === KILL_AT) process.kill(process.pid, 'SIGKILL');
};
const chain = { url: RPC_URL, tokenAddress: TOKEN_ADDRESS };
const engine = engineOf({ db, log }, chain, {
  resendMs: 400,
  stuckMs: 1_500,
  doubtMs: 3_000,
  atStep: (step) => atStep(`engine ${step}`),
});
const worker: HarvestWorker = {
  db,
  log,
  poolKeys: POOL_KEYS,
  links: createOwnerLinks(KEYRING, 'http://localhost', 'pool'),
  venue: createExchangeGateway(settingsAt(VENUE_URL, { budgetShare: 1_000 }), { now: nowMs }).pools,
  bot: createTradingBot({ url: BOT_URL, secret: BOT_SECRET, timeoutMs: 2_000 }, { now }),
  now,
  leaseMs: 10_000,
  settings: { current: () => SETTING_DEFAULTS },
  chain: {
    chainId: 56,
    tokenAddress: TOKEN_ADDRESS,
    rules: { addressHoldHours: 24, maximumUnits: null },
    noticeMinutes: 0,
  },
  atPoint: (point) => atStep(`harvest ${point}`),
  atStep: (step) => atStep(`saga ${step}`),
};
const watch = watchOf({ db, log } as never, { url: RPC_URL, token: { address: TOKEN_ADDRESS } } as never, {
  receivers: [createPoolDepositReceiver({ log }), createProxyReceiver({ log })],
  blocksAtOnce: 500,
});

/** Work that another worker does at this moment, or that a kill interrupted, is taken up again at the next turn. */
const attempt = (turn: () => Promise<boolean>) =>
  turn().catch((error: Error) => {
    process.send?.({ failed: error.message });
    return false;
  });

process.send?.('ready');
process.once('disconnect', () => process.exit());
for (;;) {
  const hasRead = await attempt(() => watchChain(watch));
  const hasHarvested = await attempt(() => takeHarvestTurn(worker));
  const hasMoved = await attempt(() => takeTransferTurn(engine));
  await attempt(async () => {
    await setUpWallets(engine);
    return false;
  });
  if (!hasRead && !hasHarvested && !hasMoved) await sleep(40);
}
