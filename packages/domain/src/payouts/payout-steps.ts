import type { PayoutStatus } from '../catalogue.ts';

/** The facts that decide the progress of a payout. Times are ISO 8601. */
export interface PayoutProgress {
  status: PayoutStatus;
  created_at: string;
  updated_at: string;
  consolidate_transaction_hash: string | null;
  distribute_transaction_hash: string | null;
  /** Why it failed: a code; null when unknown. */
  problem: string | null;
  /** When its payables were marked as paid. */
  paid_at: string | null;
}

export interface PlannedStep {
  kind: 'created' | 'consolidated' | 'distributed';
  state: 'done' | 'running' | 'waiting' | 'failed';
  transaction_hash: string | null;
  /** null: unknown or not yet. */
  at: string | null;
}

/** The steps of a payout, with known hashes and times. Its row keeps the time of the last change. */
export function planPayoutSteps(payout: PayoutProgress): PlannedStep[] {
  const { status, updated_at } = payout;
  const isDistributed = status === 'distributed';
  const isConsolidated = isDistributed || status === 'consolidated' || status === 'distributing';
  const hasFailed = status === 'failed';
  const failedAt = failedStep(payout);
  const stateOf = (kind: 'consolidated' | 'distributed', isDone: boolean, isRunning: boolean) => {
    if (hasFailed && kind === failedAt) return 'failed';
    if (hasFailed) return kind === 'consolidated' && payout.consolidate_transaction_hash ? 'done' : 'waiting';
    return isDone ? 'done' : isRunning ? 'running' : 'waiting';
  };
  const consolidated = stateOf('consolidated', isConsolidated, status === 'consolidating');
  const distributed = stateOf('distributed', isDistributed, status === 'distributing');
  return [
    { kind: 'created', state: 'done', transaction_hash: null, at: payout.created_at },
    {
      kind: 'consolidated',
      state: consolidated,
      transaction_hash: payout.consolidate_transaction_hash,
      at: consolidated === 'failed' || status === 'consolidated' ? updated_at : null,
    },
    {
      kind: 'distributed',
      state: distributed,
      transaction_hash: payout.distribute_transaction_hash,
      at:
        distributed === 'done'
          ? (payout.paid_at ?? updated_at)
          : distributed === 'failed'
            ? updated_at
            : null,
    },
  ];
}

/** Without a known problem, the failed step is the first one without its own transaction. */
function failedStep({
  problem,
  consolidate_transaction_hash,
}: PayoutProgress): 'consolidated' | 'distributed' {
  if (problem === 'consolidation_reverted') return 'consolidated';
  return problem !== null || consolidate_transaction_hash ? 'distributed' : 'consolidated';
}
