import type { SweepStatus } from './catalogue.ts';

/** What of a payout tells how far it came. Times are ISO 8601. */
export interface SweepProgress {
  status: SweepStatus;
  created_at: string;
  updated_at: string;
  consolidate_transaction_hash: string | null;
  distribute_transaction_hash: string | null;
  /** Why it failed: a code; null where nobody knows. */
  problem: string | null;
  /** When what it pays was noted as paid. */
  paid_at: string | null;
}

export interface SweepStep {
  kind: 'created' | 'consolidated' | 'distributed';
  state: 'done' | 'running' | 'waiting' | 'failed';
  transaction_hash: string | null;
  /** null: not known, or not yet. */
  at: string | null;
}

/** The steps of a payout, with hashes and times as far as these are known. Its row keeps the time of the last change. */
export function planSweepSteps(sweep: SweepProgress): SweepStep[] {
  const { status, updated_at } = sweep;
  const isDistributed = status === 'distributed';
  const isConsolidated = isDistributed || status === 'consolidated' || status === 'distributing';
  const hasFailed = status === 'failed';
  const failedAt = failedStep(sweep);
  const stateOf = (kind: 'consolidated' | 'distributed', isDone: boolean, isRunning: boolean) => {
    if (hasFailed && kind === failedAt) return 'failed';
    if (hasFailed) return kind === 'consolidated' && sweep.consolidate_transaction_hash ? 'done' : 'waiting';
    return isDone ? 'done' : isRunning ? 'running' : 'waiting';
  };
  const consolidated = stateOf('consolidated', isConsolidated, status === 'consolidating');
  const distributed = stateOf('distributed', isDistributed, status === 'distributing');
  return [
    { kind: 'created', state: 'done', transaction_hash: null, at: sweep.created_at },
    {
      kind: 'consolidated',
      state: consolidated,
      transaction_hash: sweep.consolidate_transaction_hash,
      at: consolidated === 'failed' || status === 'consolidated' ? updated_at : null,
    },
    {
      kind: 'distributed',
      state: distributed,
      transaction_hash: sweep.distribute_transaction_hash,
      at:
        distributed === 'done' ? (sweep.paid_at ?? updated_at) : distributed === 'failed' ? updated_at : null,
    },
  ];
}

/** Where it is not told, what failed is the first step without a transaction of its own. */
function failedStep({
  problem,
  consolidate_transaction_hash,
}: SweepProgress): 'consolidated' | 'distributed' {
  if (problem === 'consolidation_reverted') return 'consolidated';
  return problem !== null || consolidate_transaction_hash ? 'distributed' : 'consolidated';
}
