import type { CallAnswer } from '@copydesk/contract';
import type { RecipientType } from '@copydesk/domain/catalogue';
import { type RawBuilder, sql } from 'kysely';
import {
  authorOf,
  isHeldChange,
  isUnvouched,
  payableFrom,
  wordOn,
} from '../../core/transfers/addresses/held.views.ts';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

type OwnerWord =
  CallAnswer<'GET /api/super-admin/communities/{id}/pending-distributions'>['held'][number]['ownerWord'];

/** Why shares with a recipient address cannot be paid out now. */
export type Hold =
  /** The address is new: payable once another super admin has released it and its waiting time has passed. */
  | {
      /** `referrer_set`: the same of who referred the trader that paid. */
      reason: 'address_changed' | 'referrer_set';
      changeId: string;
      payableFrom: string;
      awaitsRelease: boolean;
      changedById: string;
      ownerWord: OwnerWord;
    }
  /** The tokens that back the shares are at a frozen deposit address. */
  | { reason: 'deposit_frozen' }
  /** The shares were imported, and their backing has not been checked against the chain yet. */
  | { reason: 'not_checked' };

/** Shares that are not in a payout yet, summed by community, role, address and hold. */
export interface PendingLine {
  communityId: string;
  recipientType: RecipientType;
  /** In lower case; null: no address is set yet. */
  address: string | null;
  units: bigint;
  payableCount: number;
  /** null: payable. */
  hold: Hold | null;
}

/** A line with the ids of its shares. */
export interface PayableLine extends PendingLine {
  payableIds: string[];
}

export interface PendingOptions {
  /** null: of every community. */
  communityIds: readonly string[] | null;
  chainId: number;
  /** Hours for which a changed address is held. */
  holdHours: number;
  /** Only these shares; undefined: all that are pending. */
  payableIds?: readonly string[];
}

interface Row {
  community_id: string;
  recipient_type: RecipientType;
  address: string | null;
  units: string;
  count: number;
  hold: 'deposit_frozen' | 'not_checked' | null;
  change_id: string | null;
  payable_from: string | null;
  awaits_release: boolean | null;
  changed_by_id: string | null;
  is_of_referrer: boolean;
  owner_word: OwnerWord;
}

/**
 * The recipient's present address for a share, in lower case; the earlier address if no other is known. The referrer is
 * looked up only for referrer shares, because a join might read all invoices.
 */
const joinOwnersOf = (referred: RawBuilder<unknown>) => sql`
  JOIN community c ON c.id = y.community_id
  LEFT JOIN provider p ON p.id = y.provider_id
  LEFT JOIN platform_recipient platform ON platform.recipient_type = y.recipient_type
  LEFT JOIN LATERAL (
    SELECT r.id, t.id::text AS referred_id, r.external_wallet_address AS address FROM ${referred}
    JOIN trader r ON r.id = t.referred_by_trader_id) referrer ON y.recipient_type = 'trader_referrer'`;
export const joinOwners = joinOwnersOf(
  sql`(SELECT t.* FROM invoice i JOIN trader t ON t.id = i.trader_id WHERE i.id = y.invoice_id) t`,
);
export const currentAddress = sql`lower(coalesce(CASE y.recipient_type
    WHEN 'mark' THEN p.payout_address
    WHEN 'community' THEN c.external_wallet_address
    WHEN 'community_referrer' THEN c.referrer_wallet_address
    WHEN 'trader_referrer' THEN referrer.address
    ELSE platform.address END, y.recipient_address))`;

/** The owner of a share's address, as named in `payout_address_change`. */
export const ownerOfShare = sql`
  CASE y.recipient_type WHEN 'mark' THEN 'provider' WHEN 'community' THEN 'community'
    WHEN 'community_referrer' THEN 'community_referrer' WHEN 'trader_referrer' THEN 'trader'
    ELSE 'platform' END AS owner_kind,
  CASE y.recipient_type WHEN 'mark' THEN y.provider_id::text WHEN 'community' THEN y.community_id::text
    WHEN 'community_referrer' THEN y.community_id::text WHEN 'trader_referrer' THEN referrer.id::text
    ELSE y.recipient_type END AS owner_id, referrer.referred_id`;

/** Condition over a change and a share's owner `s`: it is of that address, or of who referred the trader. */
const isOfShare = (change: string) => sql`(${sql.ref(`${change}.owner_kind`)} = s.owner_kind
  AND ${sql.ref(`${change}.owner_id`)} = s.owner_id
  OR ${sql.ref(`${change}.owner_kind`)} = 'trader_referrer' AND ${sql.ref(`${change}.owner_id`)} = s.referred_id)`;

interface CurrentAddress {
  address: string;
  /** When its waiting time ends; null: it may be paid. */
  payableFrom: string | null;
  awaitsRelease: boolean;
  /** What its owner said of it; "Not me" where owners disagree. */
  ownerWord: OwnerWord;
}

/**
 * Ids of the people who set present addresses of these shares' recipients without anyone else's confirmation.
 */
export async function listAddressAuthors(tx: Tx, payableIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT ${authorOf('a')} AS id
    FROM (SELECT DISTINCT ${ownerOfShare} FROM payable y ${joinOwners}
      WHERE y.id = ANY (${[...payableIds]}::uuid[]) AND ${communityInScope(tx, 'y.community_id')}) s
    JOIN payout_address_change a ON ${isOfShare('a')} AND ${isUnvouched('a')}`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/** The recipients of these payouts who have another address now, or one that is held. */
export async function listChangedRecipients(
  tx: Tx,
  payoutIds: readonly string[],
  holdHours: number,
): Promise<{ type: RecipientType; address: string }[]> {
  const { rows } = await sql<{ type: RecipientType; address: string }>`
    SELECT DISTINCT s.recipient_type AS type, s.recipient_address AS address
    FROM (SELECT DISTINCT o.recipient_address, y.recipient_type, ${currentAddress} AS address, ${ownerOfShare}
      FROM payout o JOIN payable y ON y.payout_id = o.id ${joinOwners}
      WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'y.community_id')}) s
    LEFT JOIN payout_address_change a ON ${isOfShare('a')}
    WHERE s.address <> lower(s.recipient_address) OR a.id IS NOT NULL AND ${isHeldChange('a', holdHours)}
    ORDER BY 1, 2`.execute(tx.sql);
  return rows;
}

/** Condition over `payout o`: the address of one of its recipients is another one now. */
export const hasOtherAddress = sql`EXISTS (SELECT FROM payable y ${joinOwners}
  WHERE y.payout_id = o.id AND ${currentAddress} <> lower(o.recipient_address))`;

/**
 * The present addresses of the recipients of a payout's shares, in lower case: one, unless referrers have parted. Each
 * has the time from which it may be paid; null: now.
 */
export async function listCurrentAddresses(
  tx: Tx,
  payoutId: string,
  holdHours: number,
): Promise<CurrentAddress[]> {
  const { rows } = await sql<CurrentAddress>`
    SELECT s.address, app.iso(max(${payableFrom('a', holdHours)})) AS "payableFrom",
      coalesce(bool_or(a.id IS NOT NULL AND a.released_at IS NULL), false) AS "awaitsRelease",
      (array_agg(w.word ORDER BY w.word ->> 'kind' DESC) FILTER (WHERE w.word IS NOT NULL))[1] AS "ownerWord"
    FROM (SELECT DISTINCT ${currentAddress} AS address, ${ownerOfShare} FROM payable y ${joinOwners}
      WHERE y.payout_id = ${payoutId} AND ${communityInScope(tx, 'y.community_id')}) s
    LEFT JOIN payout_address_change a ON ${isOfShare('a')} AND ${isHeldChange('a', holdHours)}
    LEFT JOIN LATERAL (SELECT ${wordOn('a')} AS word) w ON true
    GROUP BY s.address ORDER BY s.address`.execute(tx.sql);
  return rows;
}

/** Condition over a share `y`: it is in no payout yet. */
export const isPending = (
  communityIds: PendingOptions['communityIds'],
) => sql`y.payout_id IS NULL AND y.settled_at IS NULL
      ${communityIds === null ? sql`` : sql`AND y.community_id = ANY (${[...communityIds]}::uuid[])`}`;

/**
 * The pending shares as `share y`, added up before their owners are looked up: shares of one role, address and hold,
 * those of referrers by the trader who paid. The query for held shares starts from the few traders whose tokens are held
 * and reads only their invoices.
 * @param more aggregates of the shares `y`, beginning with a comma, that `share` has as well
 */
export const pendingShares = (
  tx: Tx,
  { communityIds, chainId, holdHours, payableIds }: PendingOptions,
  more: RawBuilder<unknown> = sql``,
) => sql`stuck AS MATERIALIZED (
    SELECT t.id AS trader_id, 'not_checked' AS reason FROM trader t WHERE t.books_opened_at IS NULL
    UNION ALL SELECT w.owner_id, 'deposit_frozen' FROM chain_wallet w
    WHERE w.chain_id = ${chainId} AND w.role = 'deposit' AND w.frozen_because IS NOT NULL),
  held AS MATERIALIZED (
    SELECT y.id, max(s.reason) AS reason
    FROM stuck s JOIN invoice i ON i.trader_id = s.trader_id JOIN payable y ON y.invoice_id = i.id
    LEFT JOIN transfer c ON c.id = y.consolidation_id
    WHERE ${isPending(communityIds)} AND c.state IS DISTINCT FROM 'final'
    GROUP BY y.id),
  changed AS MATERIALIZED (
    SELECT a.id, a.owner_kind, a.owner_id, ${authorOf('a')} AS changed_by_id, a.released_at IS NULL AS awaits_release,
      app.iso(${payableFrom('a', holdHours)}) AS payable_from, ${wordOn('a')} AS owner_word
    FROM payout_address_change a WHERE ${isHeldChange('a', holdHours)}),
  added AS MATERIALIZED (
    SELECT y.community_id, y.recipient_type, y.provider_id, y.recipient_address, h.reason,
      CASE WHEN y.recipient_type = 'trader_referrer' THEN
        (SELECT i.trader_id FROM invoice i WHERE i.id = y.invoice_id) END AS trader_id,
      sum(y.amount_units) AS units, count(*) AS n, min(y.created_at) AS oldest_at ${more}
    FROM payable y LEFT JOIN held h ON h.id = y.id
    WHERE ${isPending(communityIds)}
      AND ${payableIds ? sql`y.id = ANY (${[...payableIds]}::uuid[])` : sql`true`}
      AND ${communityInScope(tx, 'y.community_id')}
    GROUP BY 1, 2, 3, 4, 5, 6),
  share AS (
    SELECT y.*, ${currentAddress} AS address, ${ownerOfShare}
    FROM added y ${joinOwnersOf(sql`(SELECT * FROM trader t WHERE t.id = y.trader_id) t`)})`;

/** Why a share `y` is held, where not for its `reason`, the tokens that back it: the change `a` of where or to whom it goes. */
export const joinHolds = sql`
  LEFT JOIN changed owner ON owner.owner_kind = y.owner_kind AND owner.owner_id = y.owner_id
  LEFT JOIN changed referrer ON referrer.owner_kind = 'trader_referrer' AND referrer.owner_id = y.referred_id
  -- Who gets a share is decided before where it goes.
  CROSS JOIN LATERAL (SELECT coalesce(referrer.id, owner.id) AS id, referrer.id IS NOT NULL AS is_of_referrer,
    CASE WHEN referrer.id IS NULL THEN owner.payable_from ELSE referrer.payable_from END AS payable_from,
    CASE WHEN referrer.id IS NULL THEN owner.awaits_release ELSE referrer.awaits_release END AS awaits_release,
    CASE WHEN referrer.id IS NULL THEN owner.changed_by_id ELSE referrer.changed_by_id END AS changed_by_id,
    CASE WHEN referrer.id IS NULL THEN owner.owner_word END AS owner_word) a`;

const pending = (tx: Tx, options: PendingOptions, more = sql``, columns = sql``) => sql`
  WITH ${pendingShares(tx, options, more)}
  SELECT y.community_id, y.recipient_type, y.address, sum(y.units)::text AS units, sum(y.n)::int AS count,
    y.reason AS hold, a.id AS change_id, a.payable_from, a.awaits_release, a.changed_by_id, a.is_of_referrer,
    a.owner_word ${columns}
  FROM share y ${joinHolds}
  GROUP BY y.community_id, y.recipient_type, y.address, y.reason, a.id, a.payable_from, a.awaits_release, a.changed_by_id,
    a.is_of_referrer, a.owner_word
  ORDER BY sum(y.units) DESC, y.recipient_type, y.address, y.reason, a.id, y.community_id`;

/** Amounts that are owed and not ordered yet, largest first. */
export async function listPendingLines(tx: Tx, options: PendingOptions): Promise<PendingLine[]> {
  const { rows } = await (pending(tx, options) as RawBuilder<Row>).execute(tx.sql);
  return rows.map(lineOf);
}

/** The same with the ids of the shares, so the later write covers exactly these shares, whatever arrives meanwhile. */
export async function listPayableLines(tx: Tx, options: PendingOptions): Promise<PayableLine[]> {
  // Arrays of different lengths are no array of arrays.
  const columns = sql`, string_to_array(string_agg(y.ids, ','), ',') AS payable_ids`;
  const { rows } = await (
    pending(tx, options, sql`, string_agg(y.id::text, ',') AS ids`, columns) as RawBuilder<
      Row & { payable_ids: string[] }
    >
  ).execute(tx.sql);
  return rows.map((row) => ({ ...lineOf(row), payableIds: row.payable_ids }));
}

const lineOf = (row: Row): PendingLine => ({
  communityId: row.community_id,
  recipientType: row.recipient_type,
  address: row.address,
  units: BigInt(row.units),
  payableCount: row.count,
  hold: holdFrom(row),
});

function holdFrom({
  hold,
  change_id,
  payable_from,
  awaits_release,
  changed_by_id,
  is_of_referrer,
  owner_word,
}: Row): Hold | null {
  // The hold of the backing tokens takes precedence, because releasing the address would not help.
  if (hold) return { reason: hold };
  if (!change_id) return null;
  return {
    reason: is_of_referrer ? 'referrer_set' : 'address_changed',
    changeId: change_id,
    payableFrom: payable_from as string,
    awaitsRelease: awaits_release ?? false,
    changedById: changed_by_id as string,
    ownerWord: owner_word,
  };
}
