import type { CallParsed } from '@copydesk/contract';
import type { OrderContent } from '@copydesk/domain/access';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import type { PayoutRules } from '../../../core/settings/payout-rules.ts';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import { setFundingAddress } from '../../../core/transfers/orders/orders.store.ts';
import {
  type OrderRules,
  placeOrder,
  type Waits,
  waitsFor,
} from '../../../core/transfers/orders/place-order.ts';
import { violatedUnique } from '../../../platform/db/connection/connection.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { PoolAnswer } from '../exchange/exchange-requests.store.ts';
import { lockCycle } from '../harvest/cycles.store.ts';
import * as pools from '../pools.store.ts';

type NewPool = CallParsed<'POST /api/pooled-accounts'>['body'];

/** @throws Refusal `not_found`, `community_archived`, `community_has_pool` */
export async function requirePoollessCommunity(tx: Tx, communityId: string): Promise<void> {
  const community = await pools.findPoolless(tx, communityId);
  if (!community) throw new Refusal('not_found', { message: 'Not found: no such community' });
  if (community.isArchived) throw new Refusal('community_archived');
  if (community.hasPool) throw new Refusal('community_has_pool');
}

/**
 * Stores a pool whose key the exchange has accepted, as a worker's answer says: it trades in its first cycle,
 * with empty books. It is inactive until another super admin approves its connection: otherwise one person
 * could direct members' money to an account of its own.
 * @throws Refusal `community_has_pool`, `exchange_account_taken`
 */
export async function connectPool(
  tx: WriteTx,
  rules: OrderRules,
  { body, requestId, answer }: { body: NewPool; requestId: string; answer: PoolAnswer },
): Promise<Waits & { poolId: string }> {
  const { community_id: communityId, minimum_deposit: minimum, fee_basis: feeBasis = 'net_carry' } = body;
  const { has_bot: hasBot = false } = body;
  const settings = { minimumDepositUnits: String(decimalToUnits(minimum)), feeBasis, hasBot };
  let poolId: string;
  try {
    poolId = await pools.insertPool(tx, requestId, settings);
  } catch (error) {
    const constraint = violatedUnique(error);
    if (constraint === 'pooled_account_community_id_key') throw new Refusal('community_has_pool');
    if (constraint === pools.ONE_HOLDER) throw new Refusal('exchange_account_taken');
    throw error;
  }
  const content = contentOf(await pools.findConnection(tx, poolId));
  const order = {
    act: 'pool_connection',
    communityId,
    poolId,
    units: 0n,
    traderIds: [],
    content,
  } as const;
  const placed = await placeOrder(tx, rules, order);
  tx.audit({
    action: 'pool.connected',
    target: { kind: 'pool', id: poolId },
    after: {
      community_id: communityId,
      bybit_uid: answer.uid,
      bybit_region: answer.region,
      minimum_deposit_units: settings.minimumDepositUnits,
      fee_basis: feeBasis,
      has_bot: hasBot,
      bybit_deposit_address: answer.address,
      permissions: answer.account?.permissions ?? [],
      ips: answer.account?.ips ?? [],
    },
  });
  return { poolId, ...waitsFor(placed) };
}

const contentOf = ({ poolId, communityName, addressRead, ...pool }: pools.Connection): OrderContent => ({
  lines: [{ subjectId: poolId, label: communityName, toAddress: addressRead, units: null }],
  facts: {
    exchange_account: pool.uid ?? 'none',
    minimum_deposit: unitsToDecimal(pool.minimumUnits),
    fee_basis: pool.feeBasis,
    trading_bot: pool.hasBot ? 'yes' : 'no',
  },
});

/** Connecting an exchange account as a pool. The address that was read there comes with it. */
export const connectionAct = (rules: Pick<PayoutRules, 'addressHoldHours'>): OrderAct => ({
  async lock(tx, { poolId }) {
    await lockCycle(tx, poolId as string);
  },
  present: async (tx, { poolId }) => contentOf(await pools.findConnection(tx, poolId as string)),
  async carryOut(tx, { id, poolId, seen }) {
    if (seen.lines[0]?.toAddress) await setFundingAddress(tx, id, rules.addressHoldHours);
    await pools.approvePool(tx, id);
    tx.audit({
      action: 'pool.connection_approved',
      target: { kind: 'pool', id: poolId as string },
      after: { order_id: id, bybit_deposit_address: seen.lines[0]?.toAddress ?? null },
    });
  },
  drop: (tx, { poolId }) => pools.dropUnapproved(tx, poolId as string),
});
