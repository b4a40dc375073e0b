import { pauseAfterRefusals, readReceipt, type Suspicion } from '@copydesk/domain/payouts';
import type { Attempt, EndedTransfer, SentTransfer } from '../../../../core/transfers/transfer.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { isLasting, type TransferEngine } from '../engine.ts';
import { freezeFor } from '../freeze.ts';
import { broadcastStored } from '../signing/broadcast.ts';
import { clearProblems, listSent } from '../transfers.store.ts';
import { concludeTransfers } from './conclude-transfers.ts';
import { replaceStuck } from './replace-stuck.ts';

/** Transfers checked per turn. */
const SENT = 2_000;
const RECEIPTS_AT_ONCE = 200;
/** Ended transfers per transaction. */
const SETTLED_AT_ONCE = 250;

/**
 * Checks sent transfers: those in a final block are booked; those in no block are sent again, with the same bytes or,
 * after a while, a higher fee.
 * @returns whether any transfer ended
 */
export async function observeSent(engine: TransferEngine): Promise<boolean> {
  const sent = await engine.db.read(WHOLE_SCOPE, (tx) => listSent(tx, engine.chainId, SENT));
  if (sent.length === 0) return false;
  const counts = await countTransactions(engine, sent);
  const countOf = ({ wallet }: SentTransfer) => counts.get(wallet.id) as Counts;

  const spent = sent.filter((transfer) => transfer.nonce < countOf(transfer).finalized);
  let hasEnded = false;
  const suspected = new Set<string>();
  for (let at = 0; at < spent.length; at += RECEIPTS_AT_ONCE) {
    const looked = await Promise.all(
      spent.slice(at, at + RECEIPTS_AT_ONCE).map(async (transfer) => ({
        transfer,
        end: await findEnd(engine, transfer),
      })),
    );
    engine.atStep?.('receipt_seen');
    const ended: EndedTransfer[] = [];
    for (const { transfer, end } of looked) {
      if (typeof end === 'object') ended.push(end);
      else if (end !== 'unclear') {
        suspected.add(transfer.id);
        await suspect(engine, transfer, end, countOf(transfer));
      }
    }
    hasEnded ||= (await settle(engine, ended)) > 0;
  }
  await forgetSuspicions(
    engine,
    sent.filter(({ id }) => !suspected.has(id)),
  );

  const waiting = sent.filter((t) => t.nonce >= countOf(t).latest && !t.isFrozen);
  const replaced = await replaceStuck(engine, waiting, (t) => t.nonce === countOf(t).latest);
  await broadcastStored(engine, [...replaced, ...dueAgain(engine, waiting)]);
  return hasEnded;
}

interface Counts {
  latest: number;
  finalized: number;
}

async function countTransactions(
  { chain }: TransferEngine,
  sent: readonly SentTransfer[],
): Promise<Map<string, Counts>> {
  const wallets = [...new Map(sent.map(({ wallet }) => [wallet.id, wallet])).values()];
  const counted = await Promise.all(
    wallets.map(async ({ id, address }) => {
      const [latest, finalized] = await Promise.all([
        chain.transactionCount(address, 'latest'),
        chain.transactionCount(address, 'finalized'),
      ]);
      return [id, { latest, finalized }] as const;
    }),
  );
  return new Map(counted);
}

/** How a transfer ended, by the receipt of its mined attempt; unclear while servers do not answer. */
async function findEnd(
  { chain }: TransferEngine,
  transfer: SentTransfer,
): Promise<EndedTransfer | Suspicion | 'unclear'> {
  let isUnclear = false;
  for (const attempt of transfer.attempts.toReversed()) {
    const receipt = await chain.finalReceipt(attempt.hash);
    isUnclear ||= receipt === 'unclear';
    if (typeof receipt !== 'object') continue;
    const { token, to, units, wallet } = transfer;
    const end = readReceipt(token === null ? null : { token, from: wallet.address, to, units }, {
      isCancel: attempt.isCancel,
      isSuccess: receipt.isSuccess,
      moved: receipt.tokenTransfers,
    });
    if (end === 'nothing_moved' || end === 'receipt_differs') return end;
    return { transfer, attempt, receipt, state: end };
  }
  return isUnclear ? 'unclear' : 'foreign_transaction';
}

/**
 * Handles a suspected transfer. A nonce spent in final blocks by none of our transactions means that another signer
 * uses this wallet, or that this database is older than its payments. A lagging server may briefly look the same, so
 * this case is checked again. A transaction of ours with another effect needs no second check.
 */
async function suspect(
  engine: TransferEngine,
  transfer: SentTransfer,
  problem: Suspicion,
  { latest, finalized }: Counts,
): Promise<void> {
  if (problem !== 'foreign_transaction')
    await freezeFor(engine, transfer, { because: 'receipt_differs', chainNonce: latest, problem });
  else if (isLasting(engine, transfer.id))
    await freezeFor(engine, transfer, { because: problem, chainNonce: finalized, problem });
}

/** Clears suspicions that servers no longer confirm. */
async function forgetSuspicions(
  { db, doubts }: TransferEngine,
  transfers: readonly SentTransfer[],
): Promise<void> {
  for (const { id } of transfers) doubts.delete(id);
  const noted = transfers.flatMap(({ id, problem }) => (problem === null ? [] : [id]));
  if (noted.length > 0) await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => clearProblems(tx, noted));
}

async function settle(engine: TransferEngine, ended: readonly EndedTransfer[]): Promise<number> {
  let settled = 0;
  for (let at = 0; at < ended.length; at += SETTLED_AT_ONCE)
    settled += await concludeTransfers(engine, ended.slice(at, at + SETTLED_AT_ONCE));
  return settled;
}

/**
 * The newest bytes of each transfer that is in no block and was last sent a while ago, or never. Until a server accepts
 * these, the last accepted bytes are sent too, because nodes may have dropped them. A transfer replaced by a
 * cancellation is not sent again.
 */
function dueAgain({ now, resendMs }: TransferEngine, waiting: readonly SentTransfer[]): string[] {
  const isDue = ({ broadcastAt, refused }: Attempt) => {
    const last = refused?.at ?? broadcastAt;
    const pauseMs = refused ? pauseAfterRefusals(refused.times, resendMs) : resendMs;
    return last === null || last.getTime() + pauseMs <= now().getTime();
  };
  return waiting.flatMap(({ attempts }) => {
    const newest = attempts.at(-1);
    const taken = attempts.findLast(
      (each) => each.broadcastAt !== null && !each.refused && each.isCancel === newest?.isCancel,
    );
    return [newest, ...(taken === newest ? [] : [taken])].flatMap((each) =>
      each && isDue(each) ? [each.hash] : [],
    );
  });
}
