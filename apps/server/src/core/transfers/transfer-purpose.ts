import type { JournalDraft } from '@copydesk/domain/ledger';
import { type RawBuilder, sql } from 'kysely';
import type { Database, WriteTx } from '../../platform/db/database.ts';
import type { EndedTransfer, SentTransfer, Transfer } from './transfer.ts';

/** A journal, and the reservations that it consumes. */
export interface Posting {
  draft: JournalDraft;
  reservationIds?: readonly string[];
}

/** The dependencies of a purpose outside the engine's transactions. */
export interface PurposeContext {
  db: Database;
  now: () => Date;
  /** Called where a crash could happen; tests stop the process there. */
  atStep?(step: PurposeStep): void;
}
export type PurposeStep = 'shares_returned';

/** An act that an entry of the audit has to be about. */
export interface AuditedAct {
  /** Of the order, distribution, withdrawal or decision. */
  order_id: string;
  action: string;
  /** What the entry has to say besides: whose act it was, or what it was about. */
  says: Partial<Record<'actor_id' | 'actor_kind' | 'target_id', string>>;
  /** The amount that was ordered, base units, or `all`. */
  units: string;
  /** An act that ends the order: what it allowed is not paid any more, whatever its row says. Null: there is none. */
  ended_by: string | null;
}

/** A transfer abandoned after review: its nonce is spent on chain, and it moved nothing. */
export interface AbandonedTransfer {
  id: string;
  subjectId: string | null;
}

/**
 * The purpose of transfers of one kind. The engine signs, sends and watches them; the purpose decides when one may be
 * signed and which records change off chain. Every hook runs in the calling engine's transaction, with the communities
 * of the transfers locked.
 */
export interface TransferPurpose {
  /**
   * An expression over `transfer i` and its `chain_wallet w`: NULL when the fact that allows the transfer
   * still holds, otherwise a code for what differs. It is read in the transaction that signs, with the
   * transfer locked: whoever wrote the row, only a transfer that matches the fact is signed.
   */
  whyNotBacked: RawBuilder<unknown>;
  /**
   * A query over `transfer i`: the acts of people that it follows from, as `AuditedAct`. The audit has to have them, sealed
   * and under its key: whoever can write to the database alone orders nothing. Omitted: the worker builds it itself.
   */
  audited?: RawBuilder<unknown>;
  /** Condition over `transfer i` of this kind: it may be signed now. */
  isReady?: RawBuilder<unknown>;
  /**
   * Where its transfers go. `own_wallet`: to a wallet of this seed. `others`: to any address; the limits on amounts
   * apply. `approved_address`: to one address that was approved beforehand, which `isReady` has to check.
   */
  goesTo: 'own_wallet' | 'others' | 'approved_address';
  /** Condition over `transfer i` of this kind: people have allowed it, once, beyond the limits on amounts. */
  isAllowedOnce?: RawBuilder<unknown>;
  /** The subject of its audit entries; the transfer itself when omitted. */
  subjectKind?: string;
  /** Runs once per turn before signing. @returns whether something changed */
  beforeSigning?(context: PurposeContext): Promise<boolean>;
  /** Called with the transfers signed in this transaction. */
  onSigned?(tx: WriteTx, transfers: readonly Transfer[]): Promise<void>;
  /** Journals of transfers that moved their amount. Tokens are not moved without any. */
  journalsOf?(tx: WriteTx, transfers: readonly SentTransfer[]): Promise<Posting[]>;
  /** Called with ended transfers, successful or not, after their journals are posted. */
  onEnded?(tx: WriteTx, ended: readonly EndedTransfer[], context: PurposeContext): Promise<void>;
  /**
   * Called by the API after a review, and by workers for transfers without a fact: what the login of the API may not
   * write follows in `beforeSigning`.
   * @param problem why their wallet was frozen
   */
  onAbandoned?(tx: WriteTx, transfers: readonly AbandonedTransfer[], problem: string): Promise<void>;
}

/** Kinds of transfers that features register purposes for. The engine orders gas top-ups itself. */
export type PurposeKind = Exclude<Transfer['kind'], 'gas_topup'>;
export type TransferPurposes = Record<PurposeKind, TransferPurpose>;

/** Its destination is checked against the seed, and it moves the platform's own coin. */
const GAS_TOPUP: TransferPurpose = {
  goesTo: 'own_wallet',
  whyNotBacked: sql`CASE WHEN w.role <> 'gas' THEN 'wrong_wallet' END`,
};

export const purposeOf = (purposes: TransferPurposes, kind: Transfer['kind']): TransferPurpose =>
  kind === 'gas_topup' ? GAS_TOPUP : purposes[kind];

/** The registered purposes by kind, including that of gas top-ups. */
export const allPurposes = (purposes: TransferPurposes) =>
  Object.entries({ ...purposes, gas_topup: GAS_TOPUP }) as [Transfer['kind'], TransferPurpose][];

/** The target of an audit entry about a transfer. */
export function auditTargetOf(
  purposes: TransferPurposes,
  { id, kind, subjectId }: Pick<Transfer, 'id' | 'kind' | 'subjectId'>,
): { kind: string; id: string } {
  const { subjectKind } = purposeOf(purposes, kind);
  return subjectKind && subjectId ? { kind: subjectKind, id: subjectId } : { kind: 'transfer', id };
}
