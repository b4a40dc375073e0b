import { join } from 'node:path';
import { EXCHANGES } from '@copydesk/domain/catalogue';
import { seedDemoBilling, startBilling } from '../billing/index.ts';
import { startDemoChain } from '../chain/demo-chain.ts';
import type { Holding } from '../chain/demo-token.ts';
import { readPoolSettings } from '../pools/pool-settings.ts';
import { startDemoPools } from '../pools/start-pools.ts';
import { startTelegram } from '../telegram/index.ts';
import { createFaults, type RateLimits, startVenue } from '../venues/index.ts';
import {
  createChats,
  createWorldAccounts,
  DEMO_PRICES,
  demoDepositAddress,
  demoProxyWallet,
} from '../world/index.ts';

// The five simulated exchanges and Telegram, each on a port of its own. Settings: SIMULATORS_EPOCH (ISO time at which
// the world was seeded), SIMULATORS_TRADERS, SIMULATORS_RATE_LIMITS (of the exchanges: documented, off or a factor),
// SIMULATORS_PORT_BYBIT and so on, SIMULATORS_PORT_TELEGRAM (0: any free port), SIMULATORS_TELEGRAM_TOKEN. One JSON
// line, or a message to the parent process, gives the addresses. SIMULATORS_PORT_CHAIN adds a chain, stored in
// COPYDESK_DATA_DIR, on which traders pay their invoices; SIMULATORS_CHAIN_HOLDINGS sets the first balances: of deposit
// addresses by trader, as in 17:2500000000000000000 (base units), and of proxy wallets by pool, as in proxy1:10. On a
// chain, SIMULATORS_POOLS adds accounts of pools: see ../pools/pool-settings.ts. SIMULATORS_BILLING_KEY, _WEBHOOK_SECRET
// and _WEBHOOK_URL are those of the payment service, on SIMULATORS_PORT_BILLING.
const env = process.env;
const BOT_TOKEN = '1000001:simulated-bot-that-nobody-owns';
const BILLING_KEY = 'sk_test_simulated';
const BILLING_WEBHOOK_SECRET = 'whsec_simulated';

function readNumber(name: string, usual: number): number {
  const value = Number(env[name] || usual);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a whole number of at least 0`);
  return value;
}

function readRateLimits(): RateLimits {
  const text = env.SIMULATORS_RATE_LIMITS || 'documented';
  if (text === 'documented' || text === 'off') return text;
  if (!(Number(text) > 0))
    throw new Error('SIMULATORS_RATE_LIMITS must be documented, off or a number above 0');
  return Number(text);
}

function readHoldings(): Holding[] {
  return (env.SIMULATORS_CHAIN_HOLDINGS || '').split(',').flatMap((text) => {
    const [, proxy, index, units] = /^(proxy)?(\d+):(\d+)$/.exec(text) ?? [];
    const addressAt = proxy ? demoProxyWallet : demoDepositAddress;
    return index && units ? [{ address: addressAt(Number(index)), units: BigInt(units) }] : [];
  });
}

function readEpoch(): Date {
  const epoch = env.SIMULATORS_EPOCH ? new Date(env.SIMULATORS_EPOCH) : new Date();
  if (Number.isNaN(epoch.getTime()))
    throw new Error('SIMULATORS_EPOCH must be a time as in 2026-03-01T10:00:00Z');
  return epoch;
}

// A stop during the start just ends the process.
let stop: () => unknown = () => process.exit(0);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop());
// The parent process is gone, so no stop request can come any more.
process.once('disconnect', () => stop());

try {
  const count = readNumber('SIMULATORS_TRADERS', 600);
  const accounts = createWorldAccounts({ epoch: readEpoch(), count });
  const rateLimits = readRateLimits();
  const poolSettings = readPoolSettings(env);
  const telegram = await startTelegram({
    token: env.SIMULATORS_TELEGRAM_TOKEN || BOT_TOKEN,
    chats: createChats(count, poolSettings?.count),
    port: readNumber('SIMULATORS_PORT_TELEGRAM', 0),
  });
  const folder = env.COPYDESK_DATA_DIR;
  const billing = await startBilling({
    secretKey: env.SIMULATORS_BILLING_KEY || BILLING_KEY,
    webhookSecret: env.SIMULATORS_BILLING_WEBHOOK_SECRET || BILLING_WEBHOOK_SECRET,
    webhookUrl: env.SIMULATORS_BILLING_WEBHOOK_URL || null,
    prices: Object.values(DEMO_PRICES),
    port: readNumber('SIMULATORS_PORT_BILLING', 0),
    stateFile: folder ? join(folder, 'billing.json') : null,
    seed: (state) => seedDemoBilling(state, new Date(accounts.epochMs)),
  });
  const chainPort = readNumber('SIMULATORS_PORT_CHAIN', 0);
  const stateFile = env.COPYDESK_DATA_DIR ? join(env.COPYDESK_DATA_DIR, 'chain.json') : null;
  const { outbox } = telegram;
  const chain =
    chainPort > 0
      ? await startDemoChain({ port: chainPort, stateFile, outbox, holdings: readHoldings() })
      : null;
  // The launcher starts this program again, and with it a chain that goes on from its last state.
  void chain?.lost.then(() => {
    console.error('The local chain ended unexpectedly.');
    process.exit(1);
  });
  const faults = createFaults();
  const poolWorld =
    chain && poolSettings
      ? await startDemoPools({ ...poolSettings, chainUrl: chain.url, outbox, faults })
      : null;
  const running = await Promise.all(
    EXCHANGES.map((venue) => {
      const port = readNumber(`SIMULATORS_PORT_${venue.toUpperCase()}`, 0);
      const own = venue === 'bybit' && poolWorld ? { pools: poolWorld.pools, faults } : {};
      return startVenue({ venue, accounts, now: Date.now, port, rateLimits, ...own });
    }),
  );
  stop = async () => {
    stop = () => {};
    await poolWorld?.stop();
    await Promise.all([chain?.stop(), ...[...running, telegram, billing].map((server) => server.close())]);
    process.exit(0);
  };
  const urls = Object.fromEntries(running.map(({ venue, url }) => [venue, url]));
  const ready = {
    ready: true,
    epoch: new Date(accounts.epochMs).toISOString(),
    urls,
    telegram: telegram.url,
    billing: billing.url,
    tradingBot: poolWorld?.bot?.url,
  };
  if (process.send) process.send(ready);
  else console.log(JSON.stringify(ready));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
