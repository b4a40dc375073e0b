import type { JournalDraft } from '@copydesk/domain';
import type { RawBuilder } from 'kysely';
import type { Database, WriteTx } from '../../platform/db/database.ts';
import type { EndedTransfer, SentTransfer, Transfer } from './transfer.ts';

/** A journal, and the reservations that it takes. */
export interface Posting {
  draft: JournalDraft;
  reservationIds?: readonly string[];
}

/** What a purpose works with outside the transactions of the engine. */
export interface PurposeContext {
  db: Database;
  /** Called where a crash could fall; tests die there. */
  atStep?(step: PurposeStep): void;
}
export type PurposeStep = 'shares_returned';

/** A transfer that a person gave up on: its nonce is spent on chain, and it moved nothing. */
export interface AbandonedTransfer {
  id: string;
  subjectId: string | null;
}

/**
 * What transfers of one kind are for. The engine signs, sends and watches them; the purpose decides when one may be
 * signed and what it changes outside the chain. Every hook runs in the transaction of the engine that calls it, with the
 * communities of the transfers locked.
 */
export interface TransferPurpose {
  /** Condition over `transfer i` of this kind: it may be signed now. */
  isReady?: RawBuilder<unknown>;
  /**
   * Whether it pays others. Then the limits on amounts apply, and it may go to any address; all else goes to a wallet of
   * this seed.
   */
  paysOthers: boolean;
  /** The subject of its audit entries; the transfer itself when left out. */
  subjectKind?: string;
  /** Runs once a turn before anything is signed. @returns whether something changed */
  beforeSigning?(context: PurposeContext): Promise<boolean>;
  /** These were signed in this transaction. */
  onSigned?(tx: WriteTx, transfers: readonly Transfer[]): Promise<void>;
  /** Journals of transfers that moved what they should. */
  journalsOf?(tx: WriteTx, transfers: readonly SentTransfer[]): Promise<Posting[]>;
  /** These ended, well or not; their journals are posted. */
  onEnded?(tx: WriteTx, ended: readonly EndedTransfer[], context: PurposeContext): Promise<void>;
  /** @param problem why the wallet that sent them was frozen */
  onAbandoned?(tx: WriteTx, transfers: readonly AbandonedTransfer[], problem: string): Promise<void>;
}

/** Kinds of transfers that features register purposes for. The engine orders gas top-ups itself. */
export type PurposeKind = Exclude<Transfer['kind'], 'gas_topup'>;
export type TransferPurposes = Record<PurposeKind, TransferPurpose>;

const GAS_TOPUP: TransferPurpose = { paysOthers: false };

export const purposeOf = (purposes: TransferPurposes, kind: Transfer['kind']): TransferPurpose =>
  kind === 'gas_topup' ? GAS_TOPUP : purposes[kind];

/** The registered purposes by kind, that of gas top-ups among them. */
export const allPurposes = (purposes: TransferPurposes) =>
  Object.entries({ ...purposes, gas_topup: GAS_TOPUP }) as [Transfer['kind'], TransferPurpose][];

/** What an audit entry about a transfer is about. */
export function auditTargetOf(
  purposes: TransferPurposes,
  { id, kind, subjectId }: Pick<Transfer, 'id' | 'kind' | 'subjectId'>,
): { kind: string; id: string } {
  const { subjectKind } = purposeOf(purposes, kind);
  return subjectKind && subjectId ? { kind: subjectKind, id: subjectId } : { kind: 'transfer', id };
}
