import type { CallAnswer } from '@copydesk/contract';
import { canCancelPayout, canResendPayout, canRetryPayout, planPayoutSteps } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import { checksum } from 'ox/Address';
import type { Tx } from '../../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { listPayoutFacts, listTakenAlong, showTakenAlong } from '../payout-facts.views.ts';
import { findWait } from '../payout-waits.views.ts';
import { listCurrentAddresses } from '../pending-shares.views.ts';
import { ownRows } from './payout-filters.ts';
import { communityOf, payoutColumns } from './payout-json.ts';
import { listTransfers, type Transfers } from './payout-transfers.views.ts';

type Detail = CallAnswer<'GET /api/sweep-operations/{id}'>['data'];

/** Maximum number of payables in the details. A payout may pay the shares of thousands of invoices. */
const MAX_PAYABLES = 200;

/** The side panel's details of a payout in scope; null when there is none. */
export async function findPayout(tx: Tx, id: string, addressHoldHours: number): Promise<Detail | null> {
  const { rows } = await sql<{ json: Omit<Detail, 'steps' | keyof OnChain>; paid_at: string | null }>`
    SELECT row_to_json(r) AS json, app.iso(paid.at) AS paid_at
    FROM payout o ${communityOf(tx)}
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS payables, max(y.paid_at) AS at FROM payable y
      WHERE y.payout_id = o.id AND ${providerInScope(tx, 'y.provider_id')}) paid
    CROSS JOIN LATERAL (SELECT ${payoutColumns(tx)}, ${payables(tx)} AS payables,
      paid.payables AS payable_count) r
    WHERE o.id = ${id} AND EXISTS (
      SELECT FROM payout_provider e WHERE e.payout_id = o.id AND ${ownRows(tx, 'e')})`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const steps = planPayoutSteps({ ...row.json, paid_at: row.paid_at });
  return { ...row.json, steps, ...(await readOnChain(tx, row.json, addressHoldHours)) };
}

type OtherAddress = Pick<
  Detail,
  | 'current_address'
  | 'current_address_payable_from'
  | 'current_address_awaits_release'
  | 'current_address_owner_word'
>;
type OnChain = Transfers &
  Pick<Detail, 'can_retry' | 'can_cancel' | 'can_resend' | 'retried_with' | 'waits_for' | keyof OtherAddress>;
const HIDDEN: OnChain = {
  transfers: [],
  transfer_count: 0,
  waits_for: null,
  can_retry: false,
  retried_with: [],
  can_cancel: false,
  can_resend: false,
  current_address: null,
  current_address_payable_from: null,
  current_address_awaits_release: false,
  current_address_owner_word: null,
};

/** Only a caller who sees everything gets the transfers, because a transfer may pay shares of any provider. */
async function readOnChain(
  tx: Tx,
  { id, recipient_address }: Pick<Detail, 'id' | 'recipient_address'>,
  addressHoldHours: number,
): Promise<OnChain> {
  if (tx.scope.kind !== 'all') return HIDDEN;
  const [facts] = await listPayoutFacts(tx, [id]);
  const canRetry = facts !== undefined && canRetryPayout(facts);
  return {
    ...(await listTransfers(tx, id)),
    waits_for: await findWait(tx, id),
    can_retry: canRetry,
    retried_with: canRetry ? await showTakenAlong(tx, await listTakenAlong(tx, [id])) : [],
    can_cancel: facts !== undefined && canCancelPayout(facts),
    can_resend: facts !== undefined && canResendPayout(facts),
    ...(await findOtherAddress(tx, id, recipient_address, addressHoldHours)),
  };
}

async function findOtherAddress(
  tx: Tx,
  id: string,
  frozenAddress: string,
  addressHoldHours: number,
): Promise<OtherAddress> {
  const [now] = await listCurrentAddresses(tx, id, addressHoldHours);
  if (!now || now.address === frozenAddress.toLowerCase())
    return {
      current_address: null,
      current_address_payable_from: null,
      current_address_awaits_release: false,
      current_address_owner_word: null,
    };
  return {
    current_address: checksum(now.address as `0x${string}`),
    current_address_payable_from: now.payableFrom,
    current_address_awaits_release: now.awaitsRelease,
    current_address_owner_word: now.ownerWord,
  };
}

const payables = (tx: Tx) => sql`(
  SELECT coalesce(json_agg(json_build_object('id', y.id, 'invoice_id', y.invoice_id, 'reference_number',
    t.reference_number, 'amount', ${usdt(sql`y.amount_units`)}, 'recipient_type', y.recipient_type)
    ORDER BY y.amount_units DESC, y.id), '[]')
  FROM (SELECT * FROM payable y WHERE y.payout_id = o.id AND ${providerInScope(tx, 'y.provider_id')}
    ORDER BY y.amount_units DESC, y.id LIMIT ${sql.lit(MAX_PAYABLES)}) y
  LEFT JOIN invoice i ON i.id = y.invoice_id
  LEFT JOIN trader t ON t.id = i.trader_id AND ${traderInScope(tx, 't.id')})`;
