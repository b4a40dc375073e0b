import { isSameMove } from '@copydesk/domain';
import type { Attempt, EndedTransfer, SentTransfer } from '../../../core/transfers/transfer.ts';
import type { FinalReceipt } from '../../../integrations/chain/chain-sender.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import { broadcastStored } from './broadcast.ts';
import { concludeTransfers } from './conclude-transfers.ts';
import { isLasting } from './doubts.ts';
import type { TransferEngine } from './engine.ts';
import { freezeFor } from './freeze.ts';
import { replaceStuck } from './replace-stuck.ts';
import { clearProblems, listSent } from './transfers.store.ts';

const ALL = { kind: 'all' } as const;
/** Transfers that are looked at in one turn. */
const SENT = 2_000;
const RECEIPTS_AT_ONCE = 200;
/** Ended transfers of one transaction. */
const SETTLED_AT_ONCE = 250;

/**
 * Looks at what was sent: what is in a final block is booked, and what is in none yet is sent again, the same bytes, or
 * with a higher fee when it takes long.
 * @returns whether something ended
 */
export async function observeSent(engine: TransferEngine): Promise<boolean> {
  const sent = await engine.db.read(ALL, (tx) => listSent(tx, engine.chainId, SENT));
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

/** What is not as it should be of a transfer whose nonce is spent: problems that a person has to look at. */
type Suspicion = 'foreign_transaction' | 'nothing_moved' | 'receipt_differs';

/** How a transfer ended, by the receipt of whichever of its attempts was mined; unclear while servers do not say. */
async function findEnd(
  { chain }: TransferEngine,
  transfer: SentTransfer,
): Promise<EndedTransfer | Suspicion | 'unclear'> {
  let isUnclear = false;
  for (const attempt of transfer.attempts.toReversed()) {
    const receipt = await chain.finalReceipt(attempt.hash);
    isUnclear ||= receipt === 'unclear';
    if (typeof receipt !== 'object') continue;
    if (attempt.isCancel) return { transfer, attempt, receipt, state: 'cancelled' };
    if (!receipt.isSuccess) return { transfer, attempt, receipt, state: 'reverted' };
    if (isAsAsked(transfer, receipt)) return { transfer, attempt, receipt, state: 'final' };
    return receipt.tokenTransfers.length === 0 ? 'nothing_moved' : 'receipt_differs';
  }
  return isUnclear ? 'unclear' : 'foreign_transaction';
}

/** Coin moves without a log: there the signed bytes and a success say all there is to say. */
function isAsAsked({ token, to, units, wallet }: SentTransfer, { tokenTransfers }: FinalReceipt): boolean {
  return token === null || isSameMove({ token, from: wallet.address, to, units }, tokenTransfers);
}

/**
 * A nonce that is spent in final blocks, and by none of our transactions: somebody else signs for this wallet, or this
 * database is older than what it paid. A server that lags tells the same for a moment, so that it is looked at again.
 * One of ours that did something else needs no second look.
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

/** What servers tell otherwise by now, or not for certain, is not held against a transfer any longer. */
async function forgetSuspicions(
  { db, doubts }: TransferEngine,
  transfers: readonly SentTransfer[],
): Promise<void> {
  for (const { id } of transfers) doubts.delete(id);
  const noted = transfers.flatMap(({ id, problem }) => (problem === null ? [] : [id]));
  if (noted.length > 0) await db.write(ALL, WORKER_ACTOR, (tx) => clearProblems(tx, noted));
}

async function settle(engine: TransferEngine, ended: readonly EndedTransfer[]): Promise<number> {
  let settled = 0;
  for (let at = 0; at < ended.length; at += SETTLED_AT_ONCE)
    settled += await concludeTransfers(engine, ended.slice(at, at + SETTLED_AT_ONCE));
  return settled;
}

/**
 * The newest bytes of what is in no block yet and was last sent a while ago, or never. While no server takes them, those
 * before them as well: they may be forgotten by now. Not what is to be overtaken by nothing.
 */
function dueAgain({ now, resendMs }: TransferEngine, waiting: readonly SentTransfer[]): string[] {
  const before = now().getTime() - resendMs;
  const isDue = ({ broadcastAt }: Attempt) => broadcastAt === null || broadcastAt.getTime() <= before;
  return waiting.flatMap(({ attempts }) => {
    const newest = attempts.at(-1);
    const taken = attempts.findLast(
      (each) => each.broadcastAt !== null && each.isCancel === newest?.isCancel,
    );
    return [newest, ...(taken === newest ? [] : [taken])].flatMap((each) =>
      each && isDue(each) ? [each.hash] : [],
    );
  });
}
