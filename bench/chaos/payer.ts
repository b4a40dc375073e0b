import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { EngineStep } from '../../apps/server/src/features/payouts/engine/engine.ts';
import { takePayoutTurn } from '../../apps/server/src/features/payouts/engine/payout-turn.ts';
import { createPayoutEngine } from '../../apps/server/src/payout-loop.ts';
import { openBenchDatabase } from '../support/owing-world.ts';

// A worker that does nothing but pay, with little patience: what takes minutes in life takes a second here. KILL_AT names
// a step at which it dies by its own hand, as hard as by kill -9; STOP_AT one at which it stops until somebody wakes it.
const {
  DATABASE_URL = '',
  RPC_URL = '',
  TOKEN_ADDRESS = '',
  SEED = '',
  KILL_AT,
  STOP_AT,
  CHAOS_IN_FLIGHT = '64',
} = process.env;
const db = openBenchDatabase(DATABASE_URL, 'chaos-payer');
const engine = createPayoutEngine({
  config: {
    chain: {
      rpcUrls: [RPC_URL],
      chainId: 56,
      tokenAddress: TOKEN_ADDRESS,
      confirmations: null,
      timeoutMs: 5_000,
      blocksAtOnce: 500,
    },
    payouts: { maxFeeGwei: 1_000, maxPerTransaction: undefined, maxPerDay: undefined, addressHoldHours: 24 },
  },
  seed: Buffer.from(SEED, 'hex'),
  db,
  log: pino({ level: 'silent' }),
});
engine.inFlight = Number(CHAOS_IN_FLIGHT);
engine.resendMs = 400;
engine.stuckMs = 1_500;
let hasStopped = false;
engine.atStep = (step: EngineStep) => {
  if (step === KILL_AT) process.kill(process.pid, 'SIGKILL');
  if (step !== STOP_AT || hasStopped) return;
  hasStopped = true;
  process.kill(process.pid, 'SIGSTOP');
};
process.send?.('ready');
process.once('disconnect', () => process.exit());
for (;;) {
  const moved = await takePayoutTurn(engine).catch((error: Error) => {
    process.send?.({ failed: error.message });
    return false;
  });
  if (!moved) await sleep(40);
}
