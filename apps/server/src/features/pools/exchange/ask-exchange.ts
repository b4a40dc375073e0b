import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { POOL_KEY_REFUSALS } from '@copydesk/domain/pools';
import type { EXCHANGE_PROBLEMS } from '@copydesk/domain/trading';
import { connectionError } from '../../../core/exchanges/gateway-failure.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from './exchange-requests.store.ts';

/** How long a call waits for a worker. */
export const LONGEST_WAIT_MS = 10_000;
const FIRST_LOOK_MS = 20;
const LATER_LOOKS_MS = 150;

/**
 * Asks the exchange of a pool through a worker, which has its key. The caller has checked that the person may.
 * @returns the answer, and the id that it is used by
 * @throws Refusal `exchange_unavailable`, also when no worker answers in time; `exchange_refused`, `pool_not_connected`;
 * `pool_key_refused` with the change to make at the exchange
 */
export async function askExchange(
  db: Database,
  actor: Actor,
  question: store.PoolQuestion,
): Promise<{ requestId: string; answer: store.PoolAnswer }> {
  const requestId = randomUUID();
  await db.write(WHOLE_SCOPE, actor, (tx) => store.insertQuestion(tx, requestId, question));
  const startedAt = performance.now();
  for (let pause = FIRST_LOOK_MS; performance.now() - startedAt < LONGEST_WAIT_MS; pause *= 1.3) {
    await sleep(Math.min(pause, LATER_LOOKS_MS));
    const answer = await db.read(WHOLE_SCOPE, (tx) => store.findAnswer(tx, requestId));
    if (answer) return { requestId, answer: requireGood(answer) };
  }
  throw new Refusal('exchange_unavailable');
}

function requireGood(answer: store.PoolAnswer): store.PoolAnswer {
  const { problem, refusal } = answer;
  if (problem?.code === 'not_connected') throw new Refusal('pool_not_connected');
  if (problem) throw connectionError({ ...problem, code: problem.code as keyof typeof EXCHANGE_PROBLEMS });
  if (refusal)
    throw new Refusal('pool_key_refused', {
      message: POOL_KEY_REFUSALS[refusal as keyof typeof POOL_KEY_REFUSALS],
    });
  return answer;
}
