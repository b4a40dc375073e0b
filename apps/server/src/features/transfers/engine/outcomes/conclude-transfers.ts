import { gasFunded, gasSpent } from '@copydesk/domain/ledger';
import { TRANSFER_MOVES } from '@copydesk/domain/payouts';
import { postJournals } from '../../../../core/ledger/ledger.service.ts';
import { lockCommunities } from '../../../../core/transfers/communities.store.ts';
import type { EndedTransfer } from '../../../../core/transfers/transfer.ts';
import { allPurposes, auditTargetOf, type Posting } from '../../../../core/transfers/transfer-purpose.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import { isRefusedByRules } from '../../../../platform/db/refused-by-rules.ts';
import { retryConflicts } from '../../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import type { TransferEngine } from '../engine.ts';
import { freeze } from '../freeze.ts';
import { lockTransfers } from '../transfers.store.ts';
import * as store from './concluded-transfers.store.ts';

/**
 * Books ended transfers once: receipts, journals, the changes of their purposes, and audit are one transaction. Skips
 * transfers that another worker booked meanwhile. A transfer that the ledger refuses freezes its wallet and does not
 * block the others.
 * @returns how many were booked
 */
export async function concludeTransfers(
  engine: TransferEngine,
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
      await freezeRefused(engine, first, error);
      return 0;
    }
    let booked = 0;
    for (const each of ended) booked += await concludeTransfers(engine, [each]);
    return booked;
  }
}

async function freezeRefused(
  engine: TransferEngine,
  { transfer, attempt }: EndedTransfer,
  err: unknown,
): Promise<void> {
  engine.log.warn({ err, hash: attempt.hash }, 'the ledger refuses the result of a transaction');
  await freeze(engine, transfer.wallet, { because: 'cannot_be_booked', chainNonce: transfer.nonce + 1 });
}

async function concludeTogether(engine: TransferEngine, ended: readonly EndedTransfer[]): Promise<void> {
  await retryConflicts(() =>
    engine.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      await lockCommunities(
        tx,
        ended.flatMap(({ transfer }) => transfer.communityId ?? []),
      );
      const ids = ended.map(({ transfer }) => transfer.id);
      const sent = await lockTransfers(tx, ids, TRANSFER_MOVES.paid.from);
      const mine = ended.filter(({ transfer }) => sent.has(transfer.id));
      if (mine.length === 0) return;
      await store.saveReceipts(tx, mine);
      await store.endTransfers(
        tx,
        mine.map(({ transfer, state }) => ({ transferId: transfer.id, state })),
        engine.now(),
      );
      await postJournals(tx, await journalsOf(engine, tx, mine));
      engine.atStep?.('booked');
      for (const [kind, purpose] of allPurposes(engine.purposes)) {
        const ofKind = mine.filter(({ transfer }) => transfer.kind === kind);
        if (ofKind.length > 0) await purpose.onEnded?.(tx, ofKind, engine);
      }
      audit(tx, engine, mine);
    }),
  );
  engine.atStep?.('concluded');
}

async function journalsOf(
  { purposes }: TransferEngine,
  tx: WriteTx,
  ended: readonly EndedTransfer[],
): Promise<Posting[]> {
  const journals: Posting[] = [];
  for (const [kind, purpose] of allPurposes(purposes)) {
    const final = ended.filter(({ transfer, state }) => transfer.kind === kind && state === 'final');
    const transfers = final.map(({ transfer }) => transfer);
    if (transfers.length > 0) journals.push(...((await purpose.journalsOf?.(tx, transfers)) ?? []));
  }
  return [...journals, ...gasJournals(ended)];
}

/**
 * The fees of transactions, successful or not, by the community that pays them, so that communities do not wait for one
 * balance. The coin belongs to the platform: only the platform funds our wallets, and coin transfers leave no log to
 * read. It is booked as funded when it is spent, so the spent amount is exact; the remaining coin is known only on chain.
 */
function gasJournals(ended: readonly EndedTransfer[]): Posting[] {
  const spent = ended.filter(({ receipt }) => receipt.feeWei > 0n);
  const sourceOf = ({ attempt }: EndedTransfer) => ({ type: 'transfer_attempt', id: attempt.hash });
  const byPayer = Map.groupBy(spent, ({ transfer }) => transfer.communityId);
  return [...byPayer].flatMap(([payer, fees]) => {
    const [first] = fees;
    if (!first) return [];
    const total = fees.reduce((sum, { receipt }) => sum + receipt.feeWei, 0n);
    return [
      { draft: gasFunded(total, sourceOf(first), payer) },
      ...fees.map((fee) => ({ draft: gasSpent(fee.receipt.feeWei, sourceOf(fee), payer) })),
    ];
  });
}

function audit(tx: WriteTx, { purposes }: TransferEngine, ended: readonly EndedTransfer[]): void {
  for (const { transfer, attempt, receipt, state } of ended)
    tx.audit({
      action: `transfer.${state}`,
      target: auditTargetOf(purposes, transfer),
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
