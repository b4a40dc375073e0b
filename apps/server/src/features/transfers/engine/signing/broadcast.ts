import { mostOf } from '@copydesk/domain/money';
import { classifyRefusal, isOfServer, type SendRefusal, tipFloorAfter } from '@copydesk/domain/payouts';
import { readReplication } from '../../../../core/transfers/replication.views.ts';
import { isStopped } from '../../../../core/transfers/transfer-gate.store.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import type { TransferEngine } from '../engine.ts';
import { learnTipFloor } from '../heartbeat.store.ts';
import * as attemptStore from './attempts.store.ts';
import { isKept } from './kept.ts';

/** An attempt that was sent. */
type Sent = { hash: string; refused: (attemptStore.RefusedAttempt & { tip: bigint }) | null };

/**
 * Sends stored bytes in the given order, because a node may refuse a nonce when it does not know the previous one, once
 * another machine has them where the database has another.
 * Bytes that no server took are sent again later, unchanged: whatever the error, the transaction may be on its way. The
 * words of the server are stored. When servers take nothing at all, the turn is reported as halted.
 *
 * While payments are stopped, only cancellations are sent. Bytes that no server has taken yet are kept: the one who stops
 * may suspect them. Those that a server took are not sent again either: they can be mined as they are, and a node that
 * forgets them leaves more time for a cancellation.
 */
export async function broadcastStored(engine: TransferEngine, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  const { db, chain, log, now, atStep } = engine;
  const [stored, hasStop, replication] = await db.read(WHOLE_SCOPE, async (tx) => {
    const bytes = await attemptStore.findRaw(tx, wanted);
    return [bytes, await isStopped(tx), await readReplication(tx)] as const;
  });
  const hashes = hasStop ? wanted.filter((hash) => stored.get(hash)?.isCancel) : wanted;
  if (hashes.length === 0 || !(await isKept(engine, replication))) return;
  const sendings = hashes.map(async (hash, index): Promise<Sent> => {
    const bytes = stored.get(hash);
    if (!bytes) throw new Error(`transaction ${hash} was not stored`);
    const { refusals } = await chain.broadcast(bytes.raw);
    if (index === 0) atStep?.('broadcast_one');
    const said = mostTelling(refusals);
    return { hash, refused: said && { hash, ...said, tip: bytes.tip } };
  });
  const answers = await Promise.allSettled(sendings);
  const sent = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const taken = sent.flatMap(({ hash, refused }) => (refused ? [] : [hash]));
  const refused = sent.flatMap((each) => each.refused ?? []);
  atStep?.('broadcast_all');
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    if (taken.length > 0) await attemptStore.recordBroadcast(tx, taken, now());
    if (refused.length > 0) await attemptStore.recordRefusals(tx, refused, now());
    const floors = refused.flatMap(({ refusal, detail, tip }) =>
      refusal === 'fee_too_low' ? tipFloorAfter(detail, tip, engine.maxFeeWei) : [],
    );
    if (floors.length > 0) await learnTipFloor(tx, engine.chainId, floors.reduce(mostOf), now());
  });
  const [first] = refused;
  if (!first) return;
  log.warn(
    { hash: first.hash, refusal: first.refusal, because: first.detail, refused: refused.length },
    'servers of the chain do not take transactions; they are sent again',
  );
  if (taken.length === 0 && refused.every(({ refusal }) => isOfServer(refusal)))
    engine.onHalt?.('sends_refused', first.detail);
}

/** The most useful refusal among those of several servers: a silent server gives no reason. */
function mostTelling(refusals: readonly string[]): { refusal: SendRefusal; detail: string } | null {
  const said = refusals.flatMap((detail) => {
    const refusal = classifyRefusal(detail);
    return refusal === 'known' ? [] : [{ refusal, detail }];
  });
  return said.find(({ refusal }) => refusal !== 'unknown') ?? said[0] ?? null;
}
