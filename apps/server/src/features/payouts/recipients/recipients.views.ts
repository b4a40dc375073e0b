import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { type RecipientState, usualUnits } from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import { checksum } from 'ox/Address';
import type { PayoutRules } from '../../../core/settings/payout-rules.ts';
import {
  chainOf,
  changeColumns,
  isHeldChange,
  setBy,
  wordOn,
} from '../../../core/transfers/addresses/held.views.ts';
import { type ApproverRules, readApprovers } from '../../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { byName, conditionsOf, containing } from '../../../platform/db/lists/list-query.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';
import { payoutOwners } from '../addresses/owners.views.ts';
import { paidTo } from '../distributions/recipient-history.views.ts';
import { isPending } from '../pending-shares.views.ts';

type Recipient = CallAnswer<'GET /api/super-admin/recipients'>['data'][number];
type Query = CallParsed<'GET /api/super-admin/recipients'>['query'];
type Filters = Pick<Query, 'search' | 'kind'>;
type Page = Filters &
  Pick<Query, 'state'> &
  Required<Pick<Query, 'orderBy' | 'orderDir'>> & { limit: number; offset: number };
type Rules = ApproverRules & { rules: Pick<PayoutRules, 'addressHoldHours'> };

const OWNERS_SHOWN = 3;

/** The last change `a` of the address of an owner in an alias. */
const joinChange = (owner: string) => sql`LEFT JOIN payout_address_change a
  ON a.owner_kind = ${sql.ref(`${owner}.owner_kind`)} AND a.owner_id = ${sql.ref(`${owner}.owner_id`)}`;

function conditions(filters: Filters): RawBuilder<unknown> {
  const narrowing = conditionsOf<Filters>(filters, {
    kind: (kind) => sql`o.owner_kind = ${kind}`,
    search: (text) => sql`(o.address LIKE ${containing(text)}
      OR EXISTS (SELECT FROM unnest(o.names) n WHERE lower(n) LIKE ${containing(text)}))`,
  });
  return sql.join([sql`true`, ...narrowing], sql` AND `);
}

function order({ orderBy, orderDir }: Pick<Page, 'orderBy' | 'orderDir'>): RawBuilder<unknown> {
  const direction = orderDir === 'desc' ? sql`DESC` : sql`ASC`;
  const ties = sql`o.owner_kind, o.owner_id`;
  if (orderBy === 'name') return sql`${byName('o.owner')} ${direction}, ${ties}`;
  return sql`coalesce(o.changed_at, '-infinity') ${direction}, ${byName('o.owner')}, ${ties}`;
}

/**
 * What an owner `page` is owed: the reverse of `ownerOfShare`. Each kind has an index, and reads no share of another
 * owner; of a trader, the invoices of whom it referred.
 */
const owed = (tx: Tx) => {
  const sumOf = (from: RawBuilder<unknown>) => sql`(SELECT sum(y.amount_units) FROM ${from}
      AND ${isPending(null)} AND ${communityInScope(tx, 'y.community_id')})`;
  return sql`CASE page.owner_kind
    WHEN 'provider' THEN ${sumOf(sql`payable y WHERE y.recipient_type = 'mark' AND y.provider_id = page.owner_id::uuid`)}
    WHEN 'trader' THEN ${sumOf(sql`trader t JOIN invoice i ON i.trader_id = t.id JOIN payable y ON y.invoice_id = i.id
      WHERE t.referred_by_trader_id = page.owner_id::uuid AND y.recipient_type = 'trader_referrer'`)}
    WHEN 'platform' THEN ${sumOf(sql`payable y WHERE y.recipient_type = page.owner_id`)}
    ELSE ${sumOf(sql`payable y WHERE y.community_id = page.owner_id::uuid AND y.recipient_type = page.owner_kind`)} END`;
};

interface Row extends Omit<Recipient, 'can_release' | 'refusal' | 'owed' | 'usual_amount'> {
  position: number;
  changed_by_id: string | null;
  owed_units: string;
  last_units: string[] | null;
}

/**
 * One page of everyone whom the platform pays, and the number in each state, ignoring the filter by state.
 * The list of recipients is read as a whole, because no index orders their names and changes together;
 * amounts owed and paid are read for the page only. For super admins, who see every row.
 */
export async function listRecipientPage(
  tx: Tx,
  deps: Rules,
  callerId: string,
  { limit, offset, state, ...asked }: Page,
): Promise<{ data: Recipient[]; states: Record<RecipientState, number> }> {
  const { addressHoldHours: holdHours } = deps.rules;
  const hasChange = sql`(page.address IS NOT NULL AND a.id IS NOT NULL)`;
  const { rows: answers } = await sql<{
    rows: Row[];
    states: Partial<Record<RecipientState, number>> | null;
  }>`
    WITH owner AS MATERIALIZED (${payoutOwners(tx)}),
    found AS MATERIALIZED (
      SELECT o.*, a.changed_at, CASE WHEN o.address IS NULL THEN 'missing'
        WHEN a.id IS NOT NULL AND ${isHeldChange('a', holdHours)} THEN 'held' ELSE 'payable' END AS state
      FROM owner o ${joinChange('o')} WHERE ${conditions(asked)}),
    page AS MATERIALIZED (
      SELECT o.*, row_number() OVER () AS position
      FROM (SELECT * FROM found o WHERE ${state ? sql`o.state = ${state}` : sql`true`}
        ORDER BY ${order(asked)} LIMIT ${limit} OFFSET ${offset}) o),
    shared AS MATERIALIZED (
      SELECT page.position, jsonb_build_object('count', count(*), 'owners', jsonb_path_query_array(
        jsonb_agg(jsonb_build_object('owner_kind', o.owner_kind, 'owner', o.owner)
          ORDER BY ${byName('o.owner')}, o.owner_kind, o.owner_id), ${`$[0 to ${OWNERS_SHOWN - 1}]`}::jsonpath)) AS shared_by
      FROM page JOIN owner o ON o.address = page.address
        AND (o.owner_kind, o.owner_id) <> (page.owner_kind, page.owner_id)
      GROUP BY page.position),
    shown AS (
      SELECT page.position, page.owner_kind, page.owner_id, page.owner, page.address, page.state, a.previous_address,
        ${changeColumns('a', holdHours, hasChange)}, ${setBy('a')} AS changed_by, ${wordOn('a')} AS owner_word,
        ${chainOf('page.address')} AS chain, coalesce(${owed(tx)}, 0)::text AS owed_units,
        h.paid_count, app.iso(h.last_paid_at) AS last_paid_at, h.last_units,
        coalesce(shared.shared_by, '{"count": 0, "owners": []}') AS shared_by
      FROM page ${joinChange('page')}
      LEFT JOIN shared ON shared.position = page.position
      CROSS JOIN LATERAL ${paidTo(sql`page.address`)} h)
    SELECT coalesce((SELECT json_agg(row_to_json(shown) ORDER BY shown.position) FROM shown), '[]') AS rows,
      (SELECT jsonb_object_agg(s.state, s.count)
        FROM (SELECT o.state, count(*) AS count FROM found o GROUP BY o.state) s) AS states`.execute(tx.sql);
  const { rows = [], states } = answers[0] ?? {};
  const authors = rows.flatMap(({ change_id, changed_by_id }) => (change_id && changed_by_id) || []);
  const refusalOf = await readApprovers(tx, deps, callerId, [...new Set(authors)]);
  return {
    data: rows.map((row) => shown(row, refusalOf)),
    states: { payable: 0, held: 0, missing: 0, ...states },
  };
}

function shown(
  { position: _, changed_by_id, owed_units, last_units, address, previous_address, ...row }: Row,
  refusalOf: Awaited<ReturnType<typeof readApprovers>>,
): Recipient {
  const waits = row.change_id !== null && changed_by_id !== null;
  const refusal = waits ? (refusalOf(changed_by_id)?.message ?? null) : null;
  const usual = usualUnits({ lastUnits: (last_units ?? []).map(BigInt) });
  return {
    ...row,
    address: checksummed(address),
    previous_address: checksummed(previous_address),
    refusal,
    can_release: waits && refusal === null,
    owed: unitsToDecimal(BigInt(owed_units)),
    usual_amount: usual === null ? null : unitsToDecimal(usual),
  };
}

const checksummed = (address: string | null) =>
  address === null ? null : checksum(address.toLowerCase() as `0x${string}`);
