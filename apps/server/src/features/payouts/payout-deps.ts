import type { LedgerAccount, LedgerSource } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';

/** The ledger, as far as planning payouts writes it. */
export interface PayoutBooks {
  /** Sets amounts aside, once for a source at an account. */
  reserve(
    tx: WriteTx,
    reservations: readonly { source: LedgerSource; account: LedgerAccount; units: bigint }[],
  ): Promise<unknown>;
  /** Gives back what was set aside. */
  release(tx: WriteTx, reservationIds: readonly string[]): Promise<unknown>;
}

/** What payouts need of other features; the composition roots put it together. */
export interface PayoutDeps {
  books: PayoutBooks;
}

/** Where and in what is paid, and from when on a second person has to agree. */
export interface PayoutSettings {
  chainId: number;
  tokenAddress: string;
  /** Base units; null: one person is enough, whatever the amount. */
  approvalAboveUnits: bigint | null;
  /** Hours for which a changed payout address is held. */
  addressHoldHours: number;
  /** How long an approver must have been a super admin, ms. */
  approverMinAgeMs: number;
}

export type PlanDeps = PayoutDeps & PayoutSettings & { now: () => Date };
