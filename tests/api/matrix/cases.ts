import { BILLING_CASES } from './billing-cases.ts';
import type { Cases } from './case.ts';
import { COMMUNITY_CASES } from './community-cases.ts';
import { EXCHANGE_BOT_CASES } from './exchange-bot-cases.ts';
import { EXCHANGE_CASES } from './exchange-cases.ts';
import { INVOICE_CASES } from './invoice-cases.ts';
import { PAYOUT_CASES } from './payout-cases.ts';
import { PLATFORM_CASES } from './platform-cases.ts';
import { POOL_CASES } from './pool-cases.ts';
import { PROVIDER_CASES } from './provider-cases.ts';
import { TRADER_CASES } from './trader-cases.ts';

/** A new entry of the contract without a case does not compile. */
export const CASES: Cases = {
  ...PLATFORM_CASES,
  ...TRADER_CASES,
  ...BILLING_CASES,
  ...EXCHANGE_BOT_CASES,
  ...EXCHANGE_CASES,
  ...COMMUNITY_CASES,
  ...INVOICE_CASES,
  ...PAYOUT_CASES,
  ...POOL_CASES,
  ...PROVIDER_CASES,
};
