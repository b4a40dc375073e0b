import { sql } from 'kysely';
import { authorOf } from '../../../core/transfers/addresses/held.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';

/** The latest change of a payout address. */
export interface AddressChange {
  id: string;
  ownerKind: 'provider' | 'community' | 'community_referrer' | 'trader' | 'platform' | 'trader_referrer';
  ownerId: string;
  /** Of a `trader_referrer`, the id of the trader who refers. */
  address: string | null;
  /** For a program, the person that it belongs to. */
  changedById: string;
  isReleased: boolean;
  /** Whether the chain says that it is a contract of tokens. */
  isToken: boolean;
}

/** Finds and locks the latest change by its id; null when the address has changed since or never changed. */
export async function findChangeForUpdate(tx: WriteTx, id: string): Promise<AddressChange | null> {
  const { rows } = await sql<AddressChange>`
    SELECT a.id, a.owner_kind AS "ownerKind", a.owner_id AS "ownerId", a.address, ${authorOf('a')} AS "changedById",
      a.released_at IS NOT NULL AS "isReleased",
      EXISTS (SELECT FROM address_reading r WHERE r.address = lower(a.address) AND r.is_token) AS "isToken"
    FROM payout_address_change a WHERE a.id = ${id} FOR NO KEY UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function recordReleased(tx: WriteTx, id: string): Promise<void> {
  await sql`
    UPDATE payout_address_change SET released_at = now(), released_by_id = ${tx.actor.id}, released_by = ${tx.actor.name}
    WHERE id = ${id}`.execute(tx.sql);
}

/**
 * Releases every address that waits, for an operator of the server. Contracts of tokens stay, and so does what its owner
 * said is not theirs.
 */
export async function recordAllReleased(
  tx: WriteTx,
): Promise<Pick<AddressChange, 'ownerKind' | 'ownerId' | 'address'>[]> {
  const { rows } = await sql<Pick<AddressChange, 'ownerKind' | 'ownerId' | 'address'>>`
    UPDATE payout_address_change SET released_at = now(), released_by_id = ${tx.actor.id}, released_by = ${tx.actor.name}
    WHERE released_at IS NULL
      AND NOT EXISTS (SELECT FROM address_reading r WHERE r.address = lower(payout_address_change.address) AND r.is_token)
      AND NOT EXISTS (SELECT FROM payout_address_word w WHERE w.change_id = payout_address_change.id AND w.kind = 'not_me')
    RETURNING owner_kind AS "ownerKind", owner_id AS "ownerId", address`.execute(tx.sql);
  return rows;
}

/** The audit target of a change. The platform's own recipients are filed under their type. */
const TARGETS = {
  provider: 'provider',
  community: 'community',
  community_referrer: 'community',
  trader: 'trader',
  trader_referrer: 'trader',
  platform: 'platform_recipient',
} as const;

/** Notes who put an address, or a referrer, into the book. */
export function auditRelease(
  tx: WriteTx,
  { ownerKind, ownerId, address }: Pick<AddressChange, 'ownerKind' | 'ownerId' | 'address'>,
): void {
  const isReferrer = ownerKind === 'trader_referrer';
  tx.audit({
    action: isReferrer ? 'trader.referrer_released' : 'payout_address.released',
    target: { kind: TARGETS[ownerKind], id: ownerId },
    after: isReferrer ? { referred_by_trader_id: address } : { owner_kind: ownerKind, address },
  });
}
