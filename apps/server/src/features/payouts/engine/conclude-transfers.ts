import {
  consolidated,
  distributed,
  gasFunded,
  gasSpent,
  type JournalDraft,
  type LedgerSource,
} from '@copydesk/domain';
import type { WriteTx } from '../../../platform/db/database.ts';
import { isRefusedByRules } from '../../../platform/db/refused-by-rules.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import * as store from './concluded-transfers.store.ts';
import { detachFailed } from './detach-stuck.ts';
import type { PayoutEngine } from './engine.ts';
import { freeze } from './freeze.ts';
import type { EndedTransfer, SentTransfer } from './transfer.ts';
import { lockTransfers } from './transfers.store.ts';

const ALL = { kind: 'all' } as const;

interface Posting {
  draft: JournalDraft;
  reservationIds?: readonly string[];
}

/**
 * Books what ended, once: receipts, ledger, payables, payouts and audit are one transaction. Transfers that another
 * worker booked meanwhile are left out. One that the books do not take freezes its wallet, and holds up no other.
 * @returns how many were booked
 */
export async function concludeTransfers(
  engine: PayoutEngine,
  ended: readonly EndedTransfer[],
): Promise<number> {
  const [first] = ended;
  if (!first) return 0;
  try {
    await concludeTogether(engine, ended);
    return ended.length;
  } catch (error) {
    if (!isRefusedByRules(error)) throw error;
    if (ended.length === 1) {
      await refused(engine, first, error);
      return 0;
    }
    let booked = 0;
    for (const each of ended) booked += await concludeTransfers(engine, [each]);
    return booked;
  }
}

async function refused(
  engine: PayoutEngine,
  { transfer, attempt }: EndedTransfer,
  err: unknown,
): Promise<void> {
  engine.log.warn({ err, hash: attempt.hash }, 'what a transaction did cannot be booked');
  await freeze(engine, transfer.wallet, { because: 'cannot_be_booked', chainNonce: transfer.nonce + 1 });
}

async function concludeTogether(engine: PayoutEngine, ended: readonly EndedTransfer[]): Promise<void> {
  await retryConflicts(() =>
    engine.db.write(ALL, WORKER_ACTOR, async (tx) => {
      const communityIds = ended.flatMap(({ transfer }) => transfer.communityId ?? []);
      await store.lockCommunities(tx, communityIds);
      const ids = ended.map(({ transfer }) => transfer.id);
      const sent = await lockTransfers(tx, ids, 'sent');
      const mine = ended.filter(({ transfer }) => sent.has(transfer.id));
      if (mine.length === 0) return;
      await store.saveReceipts(tx, mine);
      await store.endTransfers(
        tx,
        mine.map(({ transfer, state }) => ({ transferId: transfer.id, state })),
        engine.now(),
      );
      await book(engine, tx, mine);
      engine.atStep?.('booked');
      await movePayouts(engine, tx, mine);
      audit(tx, mine);
    }),
  );
  engine.atStep?.('settled');
}

const ofKind = (ended: readonly EndedTransfer[], kind: SentTransfer['kind'], state: EndedTransfer['state']) =>
  ended.filter((each) => each.transfer.kind === kind && each.state === state);

async function book(engine: PayoutEngine, tx: WriteTx, ended: readonly EndedTransfer[]): Promise<void> {
  const consolidations = ofKind(ended, 'consolidate', 'final');
  const payouts = ofKind(ended, 'distribute', 'final');
  const payoutIds = payouts.map(({ transfer }) => transfer.payoutId as string);
  const [reservations, payables] = [
    await store.listReservations(tx, [
      ...consolidations.map(({ transfer }) => sourceOf(transfer)),
      ...payouts.map(({ transfer }) => sourceOf(transfer)),
    ]),
    await store.listPaidPayables(tx, payoutIds),
  ];
  const reserved = (source: LedgerSource) => reservations.get(`${source.type} ${source.id}`) ?? [];
  await engine.post(tx, [
    ...consolidations.map(({ transfer }): Posting => {
      const { communityId, units, wallet } = transfer;
      const source = sourceOf(transfer);
      const from = [{ traderId: wallet.ownerId, units }];
      return { draft: consolidated(communityId as string, from, source), reservationIds: reserved(source) };
    }),
    ...payouts.map(({ transfer }): Posting => {
      const source = sourceOf(transfer);
      const shares = payables.get(source.id) ?? [];
      return {
        draft: distributed(transfer.communityId as string, shares, source),
        reservationIds: reserved(source),
      };
    }),
    ...(await gasJournals(tx, ended)),
  ]);
}

/** The payout is what a payout pays for; a consolidation serves several, and is its own reason. */
function sourceOf({ id, payoutId }: SentTransfer): LedgerSource {
  return payoutId === null ? { type: 'transfer', id } : { type: 'payout', id: payoutId };
}

/**
 * What transactions cost, whether they did anything or not. Coin that the ledger has not heard of is the platform's:
 * nobody else puts any into our wallets, and there is no log of it to be read. It is booked as put in when it is spent,
 * so that what was spent is exact, and the balance says nothing of the coin that is left: only the chain does.
 */
async function gasJournals(tx: WriteTx, ended: readonly EndedTransfer[]): Promise<Posting[]> {
  const spent = ended
    .filter(({ receipt }) => receipt.feeWei > 0n)
    .map(({ attempt, receipt }) => ({
      draft: gasSpent(receipt.feeWei, { type: 'transfer_attempt', id: attempt.hash }),
      feeWei: receipt.feeWei,
    }));
  const [first] = spent;
  if (!first) return [];
  const total = spent.reduce((sum, { feeWei }) => sum + feeWei, 0n);
  const known = await store.findGasBalance(tx);
  const source = { type: 'transfer_attempt', id: first.draft.source.id };
  const funded = total > known ? [{ draft: gasFunded(total - known, source) }] : [];
  return [...funded, ...spent];
}

async function movePayouts(
  engine: PayoutEngine,
  tx: WriteTx,
  ended: readonly EndedTransfer[],
): Promise<void> {
  const idsOf = (each: readonly EndedTransfer[]) => each.map(({ transfer }) => transfer.id);
  const consolidations = ofKind(ended, 'consolidate', 'final');
  const failed = ended.filter(({ transfer, state }) => transfer.kind === 'consolidate' && state !== 'final');
  if (consolidations.length > 0) await store.moveConsolidated(tx, idsOf(consolidations));
  if (failed.length > 0) {
    await detachFailed(tx, engine, idsOf(failed));
    await store.failConsolidated(tx, idsOf(failed), 'consolidation_reverted');
  }
  const payouts = ended.filter(({ transfer }) => transfer.kind === 'distribute');
  if (payouts.length > 0)
    await store.endPayouts(
      tx,
      payouts.map(({ transfer, attempt, state }) => ({
        payoutId: transfer.payoutId as string,
        hash: attempt.hash,
        state,
      })),
    );
}

function audit(tx: WriteTx, ended: readonly EndedTransfer[]): void {
  for (const { transfer, attempt, receipt, state } of ended)
    tx.audit({
      action: `transfer.${state}`,
      target: transfer.payoutId
        ? { kind: 'payout', id: transfer.payoutId }
        : { kind: 'transfer', id: transfer.id },
      after: {
        kind: transfer.kind,
        transaction_hash: attempt.hash,
        block_number: receipt.blockNumber.toString(),
        to: transfer.to,
        units: transfer.units.toString(),
        fee_wei: receipt.feeWei.toString(),
      },
    });
}
