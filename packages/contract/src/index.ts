import type { z } from 'zod';
import { attentionCalls, attentionMailCalls } from './attention/index.ts';
import { auditCalls, securityLogCalls } from './audit/index.ts';
import { billingCalls, paymentLinkCalls } from './billing/index.ts';
import {
  exchangeBotAnswerCalls,
  exchangeBotCalls,
  exchangeBotMessageCalls,
  exchangeBotSaleCalls,
  platformBotCalls,
} from './bots/index.ts';
import { bulkCalls } from './bulk/index.ts';
import { communityCalls, communityFigureCalls, communityProviderCalls } from './communities/index.ts';
import { depositCalls } from './deposits/index.ts';
import { accountCalls, exchangeCalls } from './exchanges/index.ts';
import { exportCalls } from './exports/index.ts';
import {
  differenceCalls,
  invoiceActCalls,
  invoiceCalls,
  invoiceDetailCalls,
  invoicingCalls,
  paymentCalls,
} from './invoices/index.ts';
import { messageCalls } from './messages/index.ts';
import { noteCalls } from './notes/index.ts';
import { systemCalls } from './operations/index.ts';
import { overviewCalls } from './overview/index.ts';
import {
  distributionCalls,
  payoutCalls,
  payoutRunCalls,
  recipientCalls,
  retryCalls,
} from './payouts/index.ts';
import { identityCalls, personSettingCalls, secondFactorCalls, waitlistCalls } from './people/index.ts';
import {
  harvestCalls,
  poolArrivalCalls,
  poolCalls,
  poolOwnerCalls,
  poolRequestCalls,
  poolStatementCalls,
} from './pools/index.ts';
import { providerCalls } from './providers/index.ts';
import { searchCalls } from './search/index.ts';
import { platformSettingCalls, savedViewCalls } from './settings/index.ts';
import { statementCalls } from './statements/index.ts';
import { timelineCalls } from './timeline/index.ts';
import { traderCalls, traderHistoryCalls } from './traders/index.ts';
import { orderCalls, paymentStopCalls, walletCalls } from './transfers/index.ts';

/** The whole API. The server does not compile without implementing each entry. */
export const contract = {
  ...systemCalls,
  ...platformSettingCalls,
  ...platformBotCalls,
  ...identityCalls,
  ...secondFactorCalls,
  ...personSettingCalls,
  ...waitlistCalls,
  ...auditCalls,
  ...securityLogCalls,
  ...traderCalls,
  ...traderHistoryCalls,
  ...exchangeCalls,
  ...accountCalls,
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
  ...exportCalls,
  ...bulkCalls,
  ...searchCalls,
  ...statementCalls,
  ...timelineCalls,
  ...attentionCalls,
  ...attentionMailCalls,
  ...noteCalls,
  ...overviewCalls,
  ...payoutCalls,
  ...recipientCalls,
  ...retryCalls,
  ...distributionCalls,
  ...payoutRunCalls,
  ...orderCalls,
  ...walletCalls,
  ...providerCalls,
  ...communityCalls,
  ...communityProviderCalls,
  ...communityFigureCalls,
  ...billingCalls,
  ...paymentLinkCalls,
  ...exchangeBotCalls,
  ...exchangeBotAnswerCalls,
  ...exchangeBotMessageCalls,
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
export { webhookContract } from './webhooks.ts';
export { useSpecWording } from './wording.ts';
