/**
 * Faults of one record of a pool's account, as opposed to a request. `deposit_short` credits 1 % less than
 * the chain has; `transfer_failed` lists a move between wallets as failed; `records_late` lists a deposit only later (`ms`).
 */
export const RECORD_FAULTS = [
  'deposit_held',
  'deposit_limited',
  'deposit_blocked',
  'deposit_rolled_back',
  'deposit_under_review',
  'deposit_short',
  'records_late',
  'withdrawal_pending',
  'withdrawal_rejected',
  'withdrawal_questioned',
  'transfer_failed',
] as const;

export type RecordFault = (typeof RECORD_FAULTS)[number];

export interface RecordFaults {
  /** The fault that applies to a new record of an account; its count goes down. */
  meetRecord(kind: RecordFault, uid: string): { ms?: number } | null;
}
