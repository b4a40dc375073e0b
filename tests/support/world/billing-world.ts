import type { AddressInfo } from 'node:net';
import { type RunningBilling, seedDemoBilling, startBilling } from '@copydesk/simulators/billing';
import { DEMO_PRICES } from '@copydesk/simulators/world';
import { compareSubscriptions } from '../../../apps/server/src/features/billing/compare-subscriptions.job.ts';
import { createStripeSync } from '../../../apps/server/src/features/billing/sync-customer.ts';
import { createBilling } from '../../../apps/server/src/integrations/billing/create-billing.ts';
import { asOwner } from '../owner.ts';
import { send } from '../send.ts';
import { createSyncTurn, RETRY_NOW } from '../take-sync-jobs.ts';
import { createTestApp } from '../test-app.ts';
import { addCommunity } from './communities.ts';

/** Canaries: neither may be seen anywhere. */
export const SECRET_KEY = 'sk_test_canaryOfTheKey0123456789';
export const WEBHOOK_SECRET = 'whsec_canaryOfTheWebhook0123456789';
export const NEXT_WEBHOOK_SECRET = 'whsec_canaryOfTheNextWebhook0123456789';
export const DAY = 86_400;

/** The API, listening for webhooks, beside a simulated Stripe whose clock moves with it. */
export async function createBillingWorld(env: Record<string, string> = {}) {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const billing: RunningBilling = await startBilling({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    prices: Object.values(DEMO_PRICES),
    now: () => now().getTime(),
  });
  const product = await createTestApp({
    clock: now,
    env: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRETS: `${NEXT_WEBHOOK_SECRET},${WEBHOOK_SECRET}`,
      STRIPE_PRICE_MONTHLY: DEMO_PRICES.monthly.id,
      STRIPE_PRICE_YEARLY: DEMO_PRICES.yearly.id,
      STRIPE_API_URL: billing.url,
      // Longer than what a test does while it does not answer, on a busy machine.
      STRIPE_TIMEOUT_MS: '20000',
      PLAN_MONTHLY_USD: '199',
      PLAN_YEARLY_USD: '1990.00',
      ...env,
    },
  });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = product.app.server.address() as AddressInfo;
  const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/stripe`;
  billing.webhooks.sendTo(webhookUrl);
  const superAdmin = await product.signIn('super');
  const owner = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    asOwner<R>(product.ownerUrl, text, values);
  const [world] = await owner<{ seeded_at: Date }>('SELECT seeded_at FROM demo_world');
  if (world) seedDemoBilling(billing.account.state, world.seeded_at);
  const settings = product.config.billing;
  if (!settings) throw new Error('billing is configured above');
  const deps = { db: product.db, billing: createBilling(settings), log: product.log, now };
  const takeTurn = createSyncTurn(product, 'stripe-sync', createStripeSync(deps));

  const as = async (call: string, parts: Parameters<typeof send>[2] = {}, headers = {}) => {
    const answer = await send(product.app, call, parts, superAdmin, headers);
    const { data, error, message } = answer.json();
    return { status: answer.statusCode, data, error, message, body: answer.body };
  };
  const at = (id: string) => ({ params: { id } });
  /** Everything that a worker would do about events, until none is left. */
  const work = async () => {
    await billing.webhooks.drained();
    while (await takeTurn());
  };
  const customerOf = async (communityId: string) => {
    const [row] = await owner<{ customer_id: string }>(
      'SELECT customer_id FROM billing_customer WHERE community_id = $1',
      [communityId],
    );
    return row?.customer_id ?? '';
  };
  const checkout = (id: string, interval = 'monthly', headers = {}) =>
    as('POST /api/communities/{id}/checkout', { ...at(id), body: { interval } }, headers);
  const newCommunity = async () => {
    const providers = await owner<{ id: string }>('SELECT id FROM provider ORDER BY name');
    return addCommunity(owner, [providers[0]?.id ?? '']);
  };

  return {
    product,
    billing,
    deps,
    now,
    owner,
    as,
    at,
    work,
    takeTurn,
    customerOf,
    checkout,
    newCommunity,
    webhookUrl,
    subscriptionOf: async (id: string) => (await as('GET /api/communities/{id}/subscription', at(id))).data,
    /** A community that has paid, and whose events have arrived. */
    async subscribe(interval = 'monthly') {
      const id = await newCommunity();
      const opened = await checkout(id, interval);
      if (opened.status !== 200) throw new Error(opened.body);
      const customer = await customerOf(id);
      billing.pay(customer);
      await work();
      return { id, customer };
    },
    compare: () => compareSubscriptions(deps),
    /** Moves the clocks of both, and lets everything happen. */
    async advance(days: number) {
      aheadMs += days * DAY * 1_000;
      await billing.act('move_clock');
      await owner(RETRY_NOW);
      await work();
    },
    async close() {
      await billing.close();
      await product.close();
    },
  };
}

export type BillingWorld = Awaited<ReturnType<typeof createBillingWorld>>;
