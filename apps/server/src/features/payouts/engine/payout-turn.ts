import { detachStuck } from './detach-stuck.ts';
import type { PayoutEngine } from './engine.ts';
import { observeSent } from './observe-sent.ts';
import { signReady } from './sign-ready.ts';

/**
 * One round of paying out: what was sent is looked at and settled or sent again, and what is ready is signed and sent.
 * Any number of workers may take turns at once: a wallet signs for one at a time, and what is sent is what was stored.
 * @returns whether something moved, so that there may be more to do at once
 */
export async function takePayoutTurn(engine: PayoutEngine, stopped?: AbortSignal): Promise<boolean> {
  const hasConcluded = await observeSent(engine);
  if (stopped?.aborted) return false;
  engine.atStep?.('looked');
  const hasDetached = await detachStuck(engine);
  const hasSigned = await signReady(engine, stopped);
  return hasConcluded || hasDetached || hasSigned;
}
