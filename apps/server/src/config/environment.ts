import { z } from 'zod';
import type { Variable, Variables } from './variable.ts';
import { BILLING_VARIABLES } from './variables/billing.ts';
import { CHAIN_VARIABLES } from './variables/chain.ts';
import { DATABASE_VARIABLES } from './variables/database.ts';
import { DEMO_VARIABLES } from './variables/demo.ts';
import { EXCHANGES_VARIABLES } from './variables/exchanges.ts';
import { HOSTED_VARIABLES } from './variables/hosted.ts';
import { INVOICES_VARIABLES } from './variables/invoices.ts';
import { MESSAGES_VARIABLES } from './variables/messages.ts';
import { MONITORING_VARIABLES } from './variables/monitoring.ts';
import { PAYOUTS_VARIABLES } from './variables/payouts.ts';
import { POOLS_VARIABLES } from './variables/pools.ts';
import { RETENTION_VARIABLES } from './variables/retention.ts';
import { SECRETS_VARIABLES, WORKER_SECRETS_VARIABLES } from './variables/secrets.ts';
import { SERVER_VARIABLES } from './variables/server.ts';
import { WALLET_VARIABLES } from './variables/wallets.ts';

const VARIABLES = {
  ...SERVER_VARIABLES,
  ...DATABASE_VARIABLES,
  ...SECRETS_VARIABLES,
  ...EXCHANGES_VARIABLES,
  ...INVOICES_VARIABLES,
  ...PAYOUTS_VARIABLES,
  ...CHAIN_VARIABLES,
  ...POOLS_VARIABLES,
  ...MESSAGES_VARIABLES,
  ...BILLING_VARIABLES,
  ...HOSTED_VARIABLES,
  ...RETENTION_VARIABLES,
  ...MONITORING_VARIABLES,
  ...DEMO_VARIABLES,
};

type Schemas<V extends Variables> = { [Name in keyof V]: V[Name] extends Variable<infer S> ? S : never };

function schemasOf<V extends Variables>(variables: V): Schemas<V> {
  const entries = Object.entries(variables).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(entries) as Schemas<V>;
}

/** All environment variables but the seed of the wallets and the key of the worker's audit entries. */
export const environment = z.object(schemasOf(VARIABLES));

export type Environment = z.infer<typeof environment>;
/** Name of a configuration variable. */
export type ConfigVariable = keyof Environment;

/** The variables by subject, in the order in which operators read about them. */
export const VARIABLES_BY_SUBJECT: ReadonlyArray<readonly [subject: string, variables: Variables]> = [
  ['The console and the API', SERVER_VARIABLES],
  ['The database', DATABASE_VARIABLES],
  ['Secrets', { ...SECRETS_VARIABLES, ...WORKER_SECRETS_VARIABLES }],
  ['Wallets', WALLET_VARIABLES],
  ['The chain', CHAIN_VARIABLES],
  ['Invoices', INVOICES_VARIABLES],
  ['Payouts', PAYOUTS_VARIABLES],
  ['Messages and mail', MESSAGES_VARIABLES],
  ['Exchanges', EXCHANGES_VARIABLES],
  ['The trading bot of the pools', POOLS_VARIABLES],
  ['Subscriptions of communities (Stripe)', BILLING_VARIABLES],
  ['Hosted sign-in (Clerk)', HOSTED_VARIABLES],
  ['Monitoring', MONITORING_VARIABLES],
  ['How long rows are kept', RETENTION_VARIABLES],
  ['The demo world of `npm start`', DEMO_VARIABLES],
];
