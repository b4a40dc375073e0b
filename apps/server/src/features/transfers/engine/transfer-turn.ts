import { allPurposes } from '../../../core/transfers/transfer-purpose.ts';
import type { TransferEngine } from './engine.ts';
import { observeSent } from './observe-sent.ts';
import { signReady } from './sign-ready.ts';

/**
 * One round: sent transfers are checked and concluded or sent again, then ready ones are signed and sent. Any number of
 * workers may take turns at once: a wallet signs for one at a time, and only stored bytes are sent.
 * @returns whether something moved, so that there may be more to do at once
 */
export async function takeTransferTurn(engine: TransferEngine, stopped?: AbortSignal): Promise<boolean> {
  const hasConcluded = await observeSent(engine);
  if (stopped?.aborted) return false;
  engine.atStep?.('looked');
  let hasPrepared = false;
  for (const [, purpose] of allPurposes(engine.purposes))
    if (await purpose.beforeSigning?.(engine)) hasPrepared = true;
  const hasSigned = await signReady(engine, stopped);
  return hasConcluded || hasPrepared || hasSigned;
}
