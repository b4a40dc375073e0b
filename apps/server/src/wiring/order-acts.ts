import type { OrderActName } from '@copydesk/domain/access';
import type { PlatformWeights } from '@copydesk/domain/invoices';
import type { OrderAct } from '../core/transfers/orders/order-act.ts';
import { saleCancelledAct } from '../features/bots/exchange-bot/sales/cancel-sales.ts';
import { saleDiscountedAct } from '../features/bots/exchange-bot/sales/coupon-use.ts';
import { archivingAct } from '../features/invoices/acts/archiving.service.ts';
import { markingAct } from '../features/invoices/acts/marking.service.ts';
import { recallAct } from '../features/invoices/acts/recalling.service.ts';
import { creditReturnAct } from '../features/invoices/payments/return-credit.ts';
import { tipAct } from '../features/invoices/payments/tip-credit.ts';
import type { PayoutSettings } from '../features/payouts/plan-deps.ts';
import { returnAct } from '../features/pools/flows/return-order.ts';
import { withdrawalsAct } from '../features/pools/flows/withdrawal-order.ts';
import { fundingAddressAct } from '../features/pools/harvest/address/deposit-address.service.ts';
import { connectionAct } from '../features/pools/keys/connect-pool.service.ts';

/** What each kind of order does, from the features. */
export const orderActs = (
  chain: PayoutSettings,
  platformWeights: () => PlatformWeights,
  now: () => Date,
): Record<OrderActName, OrderAct> => ({
  pool_withdrawals: withdrawalsAct,
  pool_return: returnAct(chain),
  pool_funding_address: fundingAddressAct(chain.rules),
  pool_connection: connectionAct(chain.rules),
  invoices_paid_off_platform: markingAct,
  invoices_archived: archivingAct,
  invoices_recalled: recallAct,
  sale_cancelled: saleCancelledAct,
  sale_discounted: saleDiscountedAct(platformWeights, now),
  credit_tipped: tipAct,
  credit_returned: creditReturnAct(chain),
});
