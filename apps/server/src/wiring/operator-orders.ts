import type { OrderActName, PlatformSettings } from '@copydesk/domain';
import type { Config } from '../config.ts';
import { approveOrder } from '../features/orders/orders.service.ts';
import { listOrders } from '../features/orders/orders.views.ts';
import { type Database, WHOLE_SCOPE } from '../platform/db/database.ts';
import { orderActs } from './order-acts.ts';

const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;
const MOST = 1_000;

/** The orders that wait for another person, a line each, for an operator of the server. */
export async function describeWaitingOrders(db: Database, now: () => Date): Promise<string[]> {
  const rules = { rules: { approverMinAgeMs: 0 }, now };
  const chosen = { callerId: OPERATOR.id, isAll: false, limit: MOST, offset: 0 };
  const { data } = await db.read(WHOLE_SCOPE, (tx) => listOrders(tx, rules, chosen));
  return data.map(({ id, act, amount, lines, community, requested_by }) =>
    [
      id,
      act,
      community?.name ?? '',
      amount === '0' ? '' : `${amount} USDT`,
      lines.map(({ label, to_address }) => `${label} ${to_address ?? ''}`.trim()).join(', '),
      `requested by ${requested_by}`,
    ].join('\t'),
  );
}

/**
 * Approves an order on the worker's machine, in place of the super admin that is missing.
 * @throws ApiError as `approveOrder`
 */
export function approveOrderAsOperator(
  db: Database,
  { chain }: Pick<Config, 'chain'>,
  { payout_address_hold_hours: addressHoldHours }: PlatformSettings,
  { id, now }: { id: string; now: () => Date },
): Promise<void> {
  const rules = { approvalAboveUnits: null, approverMinAgeMs: 0, addressHoldHours };
  const acts = orderActs({ chainId: chain.chainId, tokenAddress: chain.tokenAddress, rules });
  const act = (name: OrderActName) => acts[name];
  return db.write(WHOLE_SCOPE, OPERATOR, (tx) => approveOrder(tx, { rules, now, act }, id));
}
