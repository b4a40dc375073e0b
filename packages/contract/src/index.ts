import type { z } from 'zod';
import { auditCalls } from './audit.ts';
import { billingCalls } from './billing.ts';
import { communityCalls } from './communities.ts';
import { communityFigureCalls } from './community-figures.ts';
import { communityProviderCalls } from './community-providers.ts';
import { depositCalls } from './deposits.ts';
import { differenceCalls } from './differences.ts';
import { distributionCalls } from './distributions.ts';
import { exchangeBotCalls } from './exchange-bot.ts';
import { exchangeBotAnswerCalls } from './exchange-bot-answers.ts';
import { exchangeBotSaleCalls } from './exchange-bot-sales.ts';
import { exchangeCalls } from './exchanges.ts';
import { harvestCalls } from './harvest.ts';
import { identityCalls } from './identity.ts';
import { invoiceActCalls } from './invoice-acts.ts';
import { invoiceDetailCalls } from './invoice-detail.ts';
import { invoiceCalls } from './invoices.ts';
import { invoicingCalls } from './invoicing.ts';
import { messageCalls } from './messages.ts';
import { orderCalls } from './orders.ts';
import { paymentStopCalls } from './payment-stops.ts';
import { paymentCalls } from './payments.ts';
import { payoutCalls } from './payouts.ts';
import { platformBotCalls } from './platform-bot.ts';
import { platformSettingCalls } from './platform-settings.ts';
import { poolArrivalCalls } from './pool-arrivals.ts';
import { poolOwnerCalls } from './pool-owner.ts';
import { poolRequestCalls } from './pool-requests.ts';
import { poolStatementCalls } from './pool-statement.ts';
import { poolCalls } from './pools.ts';
import { providerCalls } from './providers.ts';
import { savedViewCalls } from './saved-views.ts';
import { secondFactorCalls } from './second-factors.ts';
import { securityLogCalls } from './security-log.ts';
import { systemCalls } from './system.ts';
import { traderHistoryCalls } from './trader-history.ts';
import { traderCalls } from './traders.ts';
import { waitlistCalls } from './waitlist.ts';
import { walletCalls } from './wallets.ts';

/** The whole API. The server does not compile without implementing each entry. */
export const contract = {
  ...systemCalls,
  ...platformSettingCalls,
  ...platformBotCalls,
  ...identityCalls,
  ...secondFactorCalls,
  ...waitlistCalls,
  ...auditCalls,
  ...securityLogCalls,
  ...traderCalls,
  ...traderHistoryCalls,
  ...exchangeCalls,
  ...invoiceCalls,
  ...invoiceActCalls,
  ...invoiceDetailCalls,
  ...invoicingCalls,
  ...differenceCalls,
  ...paymentCalls,
  ...paymentStopCalls,
  ...depositCalls,
  ...messageCalls,
  ...savedViewCalls,
  ...payoutCalls,
  ...distributionCalls,
  ...orderCalls,
  ...walletCalls,
  ...providerCalls,
  ...communityCalls,
  ...communityProviderCalls,
  ...communityFigureCalls,
  ...billingCalls,
  ...exchangeBotCalls,
  ...exchangeBotAnswerCalls,
  ...exchangeBotSaleCalls,
  ...poolCalls,
  ...harvestCalls,
  ...poolOwnerCalls,
  ...poolRequestCalls,
  ...poolArrivalCalls,
  ...poolStatementCalls,
};
export type Contract = typeof contract;
export type Call = keyof Contract;

type Part<K extends Call, P extends string> =
  Contract[K] extends Record<P, infer S extends z.ZodType> ? S : never;

/** A caller's input: params, query and body before validation. */
export type CallInput<K extends Call> = {
  [P in 'params' | 'query' | 'body' as Part<K, P> extends never ? never : P]: z.input<Part<K, P>>;
};
/** A handler's input: the same, validated and transformed. */
export type CallParsed<K extends Call> = {
  [P in 'params' | 'query' | 'body' as Part<K, P> extends never ? never : P]: z.output<Part<K, P>>;
};
/** The body of a successful answer. */
export type CallAnswer<K extends Call> = z.output<Part<K, 'answer'>>;

export { type BillingEvent, billingEvent } from './billing-event.ts';
export {
  type CallKey,
  type Entry,
  type ErrorEnvelope,
  errorEnvelope,
  type Method,
  type Webhook,
  type WebhookKey,
} from './entry.ts';
export { COMMON_ERRORS, ERRORS, type ErrorCode, IDEMPOTENCY_ERRORS, WEBHOOK_ERRORS } from './errors.ts';
export type { OpenPosition, TraderExchange } from './exchanges.ts';
export type { CycleAction, HarvestProgress, HarvestTimelineEvent } from './harvest.ts';
export type { HarvestRun } from './harvest-run.ts';
export type { HostedEvent } from './hosted-event.ts';
export { PERSONAS, type Persona } from './identity.ts';
export type { Order } from './orders.ts';
export type { PoolArrival, PoolMovement } from './pool-arrivals.ts';
export type { OwnerWithdrawal } from './pool-owner.ts';
export type { PoolRequest } from './pool-requests.ts';
export type { PoolStatement } from './pool-statement.ts';
export type { PoolCycleResult, PooledAccount, PoolMember, PoolTransaction } from './pools.ts';
export {
  isRecordedRefusal,
  REFUSAL_KINDS,
  type RefusalCode,
  type RefusalKind,
  refusalText,
} from './security-log.ts';
export { type ChangeEvent, changeEvent } from './system.ts';
export type { HistoryPosition } from './trader-history.ts';
export { type Trader, traderExportQuery, traderListQuery } from './traders.ts';
export { type TradingBotEvent, tradingBotEvent } from './trading-bot.ts';
export { webhookContract } from './webhooks.ts';
export { useSpecWording } from './wording.ts';
