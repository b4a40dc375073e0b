import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { MOST_PAID_COUNTED, recipientNews, USUAL_OF_LAST, usualUnits } from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import { checksum } from 'ox/Address';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';
import { ownerName } from '../addresses/owners.views.ts';
import { currentAddress, joinOwners, ownerOfShare } from '../pending-shares.views.ts';

type PaidRecipient = CallAnswer<'GET /api/super-admin/distributions/{id}/recipients'>['data'][number];

/** Shares that are about to be ordered, or those of a distribution or payout run that awaits approval. */
type Order = { payableIds: readonly string[] } | { distributionId: string } | { runId: string };

const OWNERS_SHOWN = 3;

interface Row {
  address: string;
  most_units: string;
  owners: string[];
  owner_count: number;
  paid_count: number;
  last_paid_at: string | null;
  last_units: string[] | null;
  address_changed_at: string | null;
}

/**
 * What has arrived at an address in lower case, as a lateral: how often, when last, and what its last orders paid it. It
 * reads its last `MOST_PAID_COUNTED` payouts, however many it has.
 */
export const paidTo = (address: RawBuilder<unknown>) => sql`(
      SELECT coalesce(sum(b.payouts), 0)::int AS paid_count, max(b.paid_at) AS last_paid_at,
        (array_agg(b.units::text ORDER BY b.paid_at DESC))[:${sql.lit(USUAL_OF_LAST)}] AS last_units
      FROM (SELECT count(*) AS payouts, sum(l.amount_units) AS units, max(l.updated_at) AS paid_at
        FROM (SELECT o.id, o.distribution_id, o.amount_units, o.updated_at FROM payout o
          WHERE o.recipient_search = ${address} AND o.status = 'distributed'
          ORDER BY o.updated_at DESC LIMIT ${sql.lit(MOST_PAID_COUNTED)}) l
        GROUP BY coalesce(l.distribution_id, l.id)) b)`;

/**
 * What was paid before to each address of an order, over all communities, the largest amount first. A payout that was paid again is one
 * row, and one that was ordered again has failed, so each counts once. For super admins, who see every payout.
 */
export async function listPaidRecipients(tx: Tx, order: Order, now: Date): Promise<PaidRecipient[]> {
  const ofOrder =
    'payableIds' in order
      ? sql`y.id = ANY (${[...order.payableIds]}::uuid[])`
      : sql`y.payout_id = ANY (ARRAY(SELECT m.id FROM payout m JOIN distribution d ON d.id = m.distribution_id
          WHERE ${'runId' in order ? sql`d.run_id = ${order.runId}` : sql`d.id = ${order.distributionId}`}))`;
  const { rows } = await sql<Row>`
    WITH owner AS MATERIALIZED (
      SELECT s.address, s.community_id, s.owner_kind, s.owner_id, sum(s.amount_units) AS units
      FROM (SELECT coalesce(o.recipient_search, ${currentAddress}) COLLATE "C" AS address, y.community_id,
          y.amount_units, ${ownerOfShare}
        FROM payable y LEFT JOIN payout o ON o.id = y.payout_id ${joinOwners}
        WHERE ${ofOrder} AND ${communityInScope(tx, 'y.community_id')}) s
      GROUP BY s.address, s.community_id, s.owner_kind, s.owner_id),
    -- A distribution pays for one community: what is usual is compared with what one of them pays.
    most AS (
      SELECT m.address, max(m.units) AS units
      FROM (SELECT w.address, sum(w.units) AS units FROM owner w GROUP BY w.address, w.community_id) m
      GROUP BY m.address),
    -- A community and who referred it have one name.
    named AS (
      SELECT w.address, coalesce(${ownerName(sql`w.owner_kind`, sql`w.owner_id`)}, w.owner_kind) AS name, sum(w.units) AS units, max(a.changed_at) AS changed_at
      FROM owner w
      LEFT JOIN payout_address_change a ON a.owner_kind = w.owner_kind AND a.owner_id = w.owner_id
      GROUP BY 1, 2),
    recipient AS MATERIALIZED (
      SELECT n.address, sum(n.units) AS units, count(*)::int AS owner_count, max(n.changed_at) AS changed_at,
        (array_agg(n.name ORDER BY n.units DESC, n.name))[:${sql.lit(OWNERS_SHOWN)}] AS owners
      FROM named n GROUP BY n.address)
    SELECT r.address, most.units::text AS most_units, r.owners, r.owner_count, app.iso(r.changed_at) AS address_changed_at,
      h.paid_count, app.iso(h.last_paid_at) AS last_paid_at, h.last_units
    FROM recipient r JOIN most ON most.address = r.address
    CROSS JOIN LATERAL ${paidTo(sql`r.address`)} h
    ORDER BY r.units DESC, r.address`.execute(tx.sql);
  return rows.map((row) => shown(row, now));
}

function shown(row: Row, now: Date): PaidRecipient {
  const { address, most_units, last_units, paid_count, address_changed_at, ...known } = row;
  const history = {
    paidCount: paid_count,
    lastUnits: (last_units ?? []).map(BigInt),
    addressChangedAt: address_changed_at === null ? null : new Date(address_changed_at),
  };
  const usual = usualUnits(history);
  return {
    recipientAddress: checksum(address as `0x${string}`),
    ...known,
    paid_count,
    address_changed_at,
    most_amount: unitsToDecimal(BigInt(most_units)),
    usual_amount: usual === null ? null : unitsToDecimal(usual),
    news: recipientNews(history, BigInt(most_units), now),
  };
}
