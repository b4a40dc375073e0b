import { createHash } from 'node:crypto';
import type { SubscriptionInterval } from '@copydesk/domain/billing';
import type Stripe from 'stripe';
import { BillingError, type BillingGateway } from './gateway.ts';
import { openStripe, type StripeSettings, toBillingError } from './open-stripe.ts';
import { readCustomer } from './read-customer.ts';

export interface BillingSettings extends StripeSettings {
  /** Ids of prices. */
  prices: Record<SubscriptionInterval, string>;
}

/** The account at Stripe. */
export function createBilling(settings: BillingSettings): BillingGateway {
  const open = openStripe(settings);
  const ask = async <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> => {
    try {
      return await work(await open());
    } catch (error) {
      throw toBillingError(error);
    }
  };

  return {
    createCustomer: ({ id, name }) =>
      ask(async (stripe) => {
        const customer = await stripe.customers.create(
          { name, metadata: { community_id: id } },
          // The name is part of the key: Stripe refuses a different request under the same key.
          { idempotencyKey: `copydesk:customer:${id}:${digest(name)}` },
        );
        return customer.id;
      }),

    readPrice: (interval) =>
      ask(async (stripe) => {
        const price = await stripe.prices.retrieve(settings.prices[interval]);
        const every = price.recurring?.interval_count === 1 ? price.recurring.interval : null;
        return {
          isActive: price.active,
          interval: every === 'month' ? 'monthly' : every === 'year' ? 'yearly' : null,
          currency: price.currency,
          amount: price.unit_amount,
        };
      }),

    openCheckout: (order) =>
      ask(async (stripe) => {
        const { data } = await stripe.checkout.sessions.list({ customer: order.customerId, limit: 10 });
        let kept: string | null = null;
        for (const session of data.filter(({ status }) => status === 'open')) {
          const isSame =
            session.metadata?.interval === order.interval && session.success_url === order.successUrl;
          if (isSame && session.url) kept ??= session.url;
          else await stripe.checkout.sessions.expire(session.id);
        }
        // Checked after the other pages are closed: a payment completed on one of them meanwhile shows here.
        if ((await readCustomer(stripe, order.customerId)).liveCount > 0) return null;
        if (kept !== null) return kept;
        const metadata = { community_id: order.communityId, interval: order.interval };
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: order.customerId,
            client_reference_id: order.communityId,
            line_items: [{ price: settings.prices[order.interval], quantity: 1 }],
            success_url: order.successUrl,
            cancel_url: order.cancelUrl,
            metadata,
            subscription_data: { metadata },
          },
          { idempotencyKey: checkoutKey(settings, order, data[0]?.id) },
        );
        if (!session.url) throw new BillingError('bad_response');
        await closeOthers(stripe, session);
        return session.url;
      }),

    findUnpaidInvoice: (customer) =>
      ask(async (stripe) => {
        const { data } = await stripe.invoices.list({ customer, status: 'open', limit: 100 });
        const [oldest] = data.toSorted((a, b) => a.created - b.created);
        return oldest?.hosted_invoice_url ?? null;
      }),

    openPortal: (customer, returnUrl) =>
      ask(async (stripe) => {
        const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl });
        return url;
      }),

    endAtPeriodEnd: (customer) =>
      ask(async (stripe) => {
        const sessions = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 10 });
        for (const { id } of sessions.data) await stripe.checkout.sessions.expire(id);
        // Without a status, Stripe lists those that are not canceled.
        const { data } = await stripe.subscriptions.list({ customer, limit: 100 });
        for (const { id, cancel_at_period_end: isEnding } of data)
          if (!isEnding) await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      }),

    readCustomer: (id) => ask((stripe) => readCustomer(stripe, id)),

    findCustomerOfCharge: (id) =>
      ask(async (stripe) => {
        const { customer } = await stripe.charges.retrieve(id);
        return typeof customer === 'string' ? customer : (customer?.id ?? null);
      }),

    async *listCustomers() {
      const seen = new Set<string>();
      try {
        const stripe = await open();
        for await (const { customer } of stripe.subscriptions.list({ status: 'all', limit: 100 })) {
          const id = typeof customer === 'string' ? customer : customer.id;
          if (!seen.has(id)) yield id;
          seen.add(id);
        }
      } catch (error) {
        throw toBillingError(error);
      }
    },
  };
}

/**
 * Pages with different return addresses have different keys, so two can be opened at once. Every caller
 * leaves only the first open page, so that no two can be paid.
 * @throws BillingError `conflict` when the given page is not the first
 */
async function closeOthers(stripe: Stripe, opened: Stripe.Checkout.Session): Promise<void> {
  const customer = opened.customer as string;
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 10 });
  const [first, ...others] = data.toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  for (const { id } of others) await stripe.checkout.sessions.expire(id);
  if (first?.id !== opened.id) throw new BillingError('conflict');
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * One new page after the latest one, whatever its interval: two requests at once do not open two, which could both be
 * paid. Changed settings are another request.
 */
function checkoutKey(
  { prices }: BillingSettings,
  { customerId, successUrl, cancelUrl }: Parameters<BillingGateway['openCheckout']>[0],
  latestId = 'first',
): string {
  const settings = digest([prices.monthly, prices.yearly, successUrl, cancelUrl].join());
  return `copydesk:checkout:${customerId}:${latestId}:${settings}`;
}
