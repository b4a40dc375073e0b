import { setTimeout as sleep } from 'node:timers/promises';
import type { Durability } from '@copydesk/domain/payouts';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { pino } from 'pino';
import { createPublicClient, http } from 'viem';
import {
  type OpeningTurn,
  takeOpeningTurn,
} from '../../apps/server/src/features/invoices/books/openings/opening-turn.ts';
import { takeTransferTurn } from '../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { createTransferEngine } from '../../apps/server/src/wiring/worker/transfer-loop.ts';
import { AUDIT_KEYS, openBenchDatabase } from '../support/owing-world.ts';
import type { PayerStep } from './steps.ts';

// A worker that only pays, with little patience: minutes of production take a second here. KILL_AT names a step at
// which it kills itself, as hard as kill -9; STOP_AT one at which it stops until it is woken. With OPENS_BOOKS it also
// opens the books of traders with imported payments.
const {
  DATABASE_URL = '',
  RPC_URL = '',
  TOKEN_ADDRESS = '',
  SEED = '',
  KILL_AT,
  STOP_AT,
  OPENS_BOOKS,
  CHAOS_IN_FLIGHT = '64',
  DURABILITY = 'single',
} = process.env;
const db = openBenchDatabase(DATABASE_URL, 'chaos-payer');
const engine = createTransferEngine({
  config: {
    chain: {
      rpcUrls: [RPC_URL],
      chainId: 56,
      tokenAddress: TOKEN_ADDRESS,
      confirmations: null,
      timeoutMs: 5_000,
      blocksAtOnce: 500,
      minTipGwei: '0',
    },
    durability: DURABILITY as Durability,
    hardBounds: { gas: { perTopup: 10n ** 20n, perDay: 10n ** 24n }, hardMaxUsdt: null },
  },
  settings: {
    current: () => ({ ...SETTING_DEFAULTS, chain_max_fee_gwei: 1_000 }),
    refresh: async () => {},
  },
  seed: Buffer.from(SEED, 'hex'),
  db,
  auditKeys: AUDIT_KEYS,
  log: pino({ level: 'silent' }),
});
engine.inFlight = Number(CHAOS_IN_FLIGHT);
engine.resendMs = 400;
engine.stuckMs = 1_500;
let hasStopped = false;
const atStep = (step: PayerStep) => {
  if (step === KILL_AT) process.kill(process.pid, 'SIGKILL');
  if (step !== STOP_AT || hasStopped) return;
  hasStopped = true;
  process.kill(process.pid, 'SIGSTOP');
};
engine.atStep = atStep;
const chain = createPublicClient({ transport: http(RPC_URL) });
const opening: OpeningTurn = {
  db,
  atStep,
  token: { chainId: 56, tokenAddress: TOKEN_ADDRESS.toLowerCase() },
  async tokenBalances(addresses) {
    const balances = await engine.chain.tokenBalances(addresses, await chain.getBlock());
    atStep('opening_asked');
    return balances;
  },
};
async function takeTurns(): Promise<boolean> {
  const hasOpened = OPENS_BOOKS ? await takeOpeningTurn(opening) : false;
  return (await takeTransferTurn(engine)) || hasOpened;
}
process.send?.('ready');
process.once('disconnect', () => process.exit());
for (;;) {
  const moved = await takeTurns().catch((error: Error) => {
    process.send?.({ failed: error.message });
    return false;
  });
  if (!moved) await sleep(40);
}
