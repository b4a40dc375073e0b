import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import * as attemptStore from './attempts.store.ts';
import type { TransferEngine } from './engine.ts';

/**
 * Sends stored bytes in the given order, because a node may refuse a nonce when it does not know the previous one.
 * Bytes that no server accepted are sent again later, unchanged: whatever the error, the transaction may be on its way.
 */
export async function broadcastStored(
  { db, chain, log, now, atStep }: TransferEngine,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  const raw = await db.read(WHOLE_SCOPE, (tx) => attemptStore.findRaw(tx, hashes));
  const sendings = hashes.map(async (hash, index) => {
    const bytes = raw.get(hash);
    if (!bytes) throw new Error(`transaction ${hash} was not stored`);
    const { isTaken, because } = await chain.broadcast(bytes);
    if (index === 0) atStep?.('broadcast_one');
    if (!isTaken) log.warn({ hash, because }, 'a transaction was not accepted; it will be sent again');
    return isTaken ? hash : null;
  });
  const answers = await Promise.allSettled(sendings);
  const taken = answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : [],
  );
  atStep?.('broadcast_all');
  if (taken.length > 0)
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => attemptStore.noteBroadcast(tx, taken, now()));
}
