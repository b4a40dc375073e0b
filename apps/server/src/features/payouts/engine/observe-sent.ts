import { isSameMove } from '@copydesk/domain';
import type { FinalReceipt } from '../../../integrations/chain/chain-sender.ts';
import { broadcastStored } from './broadcast.ts';
import type { PayoutEngine } from './engine.ts';
import { freeze } from './freeze.ts';
import { replaceStuck } from './replace-stuck.ts';
import { settleEnded } from './settle-ended.ts';
import { type Attempt, type EndedTransfer, listSent, type SentTransfer } from './transfers.store.ts';

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
export async function observeSent(engine: PayoutEngine): Promise<boolean> {
  const sent = await engine.db.read(ALL, (tx) => listSent(tx, engine.chainId, SENT));
  if (sent.length === 0) return false;
  const counts = await countTransactions(engine, sent);
  const countOf = ({ wallet }: SentTransfer) => counts.get(wallet.id) as Counts;

  const spent = sent.filter((transfer) => transfer.nonce < countOf(transfer).finalized);
  let hasEnded = false;
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
      if (end === null) await doubt(engine, transfer, countOf(transfer));
      else if (end === 'differs')
        await freeze(engine, transfer.wallet, {
          because: 'receipt_differs',
          chainNonce: countOf(transfer).latest,
        });
      else ended.push(end);
    }
    hasEnded ||= ended.length > 0;
    await settle(engine, ended);
  }

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
  { chain }: PayoutEngine,
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

/** How a transfer ended, by the receipt of whichever of its attempts was mined; null while none is final. */
async function findEnd(
  { chain }: PayoutEngine,
  transfer: SentTransfer,
): Promise<EndedTransfer | 'differs' | null> {
  for (const attempt of transfer.attempts.toReversed()) {
    const receipt = await chain.finalReceipt(attempt.hash);
    if (!receipt) continue;
    if (attempt.isCancel) return { transfer, attempt, receipt, state: 'cancelled' };
    if (!receipt.isSuccess) return { transfer, attempt, receipt, state: 'reverted' };
    return isAsAsked(transfer, receipt) ? { transfer, attempt, receipt, state: 'final' } : 'differs';
  }
  return null;
}

/** Coin moves without a log: there the signed bytes and a success say all there is to say. */
function isAsAsked({ token, to, units, wallet }: SentTransfer, { tokenTransfers }: FinalReceipt): boolean {
  return token === null || isSameMove({ token, from: wallet.address, to, units }, tokenTransfers);
}

/**
 * A nonce that is spent in final blocks, and by none of our transactions: somebody else signs for this wallet, or this
 * database is older than what it paid. A server that lags tells the same for a moment, so that it is looked at again.
 */
async function doubt(engine: PayoutEngine, transfer: SentTransfer, { finalized }: Counts): Promise<void> {
  const { doubts, doubtMs, now } = engine;
  const since = doubts.get(transfer.id) ?? now().getTime();
  doubts.set(transfer.id, since);
  if (now().getTime() - since >= doubtMs)
    await freeze(engine, transfer.wallet, { because: 'foreign_transaction', chainNonce: finalized });
}

async function settle(engine: PayoutEngine, ended: readonly EndedTransfer[]): Promise<void> {
  for (const { transfer } of ended) engine.doubts.delete(transfer.id);
  for (let at = 0; at < ended.length; at += SETTLED_AT_ONCE)
    await settleEnded(engine, ended.slice(at, at + SETTLED_AT_ONCE));
}

/** The newest bytes of what is in no block yet and was last sent a while ago, or never. */
function dueAgain({ now, resendMs }: PayoutEngine, waiting: readonly SentTransfer[]): string[] {
  const before = now().getTime() - resendMs;
  const isDue = ({ broadcastAt }: Attempt) => broadcastAt === null || broadcastAt.getTime() <= before;
  return waiting.flatMap(({ attempts }) => {
    const newest = attempts.at(-1);
    return newest && isDue(newest) ? [newest.hash] : [];
  });
}
