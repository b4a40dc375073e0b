import { allPurposes } from '../../../core/transfers/transfer-purpose.ts';
import type { TransferEngine } from './engine.ts';
import { observeSent } from './outcomes/observe-sent.ts';
import { signReady } from './signing/sign-ready.ts';

/**
 * One turn: checks sent transfers and concludes them or sends them again, then signs and sends ready ones. Any number
 * of workers may take turns at once: a wallet is signed by one worker at a time, and only stored bytes are sent.
 * @returns whether any transfer moved, so there may be more to do at once
 */
export async function takeTransferTurn(engine: TransferEngine, stopped?: AbortSignal): Promise<boolean> {
  const hasConcluded = await observeSent(engine);
  if (stopped?.aborted) return false;
  engine.atStep?.('looked');
  let hasPrepared = false;
  const failures: unknown[] = [];
  for (const [, purpose] of allPurposes(engine.purposes))
    try {
      if (await purpose.beforeSigning?.(engine)) hasPrepared = true;
    } catch (error) {
      failures.push(error);
    }
  const hasSigned = await signReady(engine, stopped);
  // A failure of one purpose holds up no transfer, but the turn has failed.
  if (failures.length > 0) throw failures[0];
  return hasConcluded || hasPrepared || hasSigned;
}
