import { sql } from 'kysely';
import type { Transfer, Wallet } from '../../../core/transfers/transfer.ts';

export interface TransferRow {
  id: string;
  kind: Transfer['kind'];
  to_address: string;
  token_address: string | null;
  units: string;
  community_id: string | null;
  subject_id: string | null;
}
export interface WalletRow {
  wallet_id: string;
  role: Wallet['role'];
  owner_id: string;
  key_index: number;
  address: string;
}

export const transferColumns = sql`i.id, i.kind, i.to_address, i.token_address, i.amount_units::text AS units,
  i.community_id, i.payout_id AS subject_id`;
export const walletColumns = sql`w.id AS wallet_id, w.role, w.owner_id, w.key_index, w.address`;

export const transferOf = (row: TransferRow): Transfer => ({
  id: row.id,
  kind: row.kind,
  to: row.to_address,
  token: row.token_address,
  units: BigInt(row.units),
  communityId: row.community_id,
  subjectId: row.subject_id,
});
export const walletOf = (row: WalletRow): Wallet => ({
  id: row.wallet_id,
  role: row.role,
  ownerId: row.owner_id,
  keyIndex: row.key_index,
  address: row.address,
});
