import type { VenueRequest } from '../venues/venue.ts';
import type { BillingAccount } from './billing-account.ts';
import {
  catchUp,
  completeSession,
  isLive,
  payOpenInvoices,
  setCancelAtPeriodEnd,
  switchPrice,
} from './lifecycle.ts';
import { checkoutPage, invoicePage, portalPage } from './pages.ts';
import type { Price } from './prices.ts';
import { readForm, textOf } from './read-form.ts';

export type PageAnswer = { html: string; status?: number } | { location: string };

/** The pages that people see. Null: another path. */
export function answerPage(
  { method, path, body }: VenueRequest,
  account: BillingAccount,
  prices: readonly Price[],
): PageAnswer | null {
  const [, kind, id = ''] = /^\/(c\/pay|p\/session|i)\/(\w+)$/.exec(path) ?? [];
  if (!kind) return null;
  catchUp(account);
  const act = method === 'POST' ? textOf(readForm(body).act) : null;
  if (kind === 'i') return answerInvoice(account, id, act);
  return kind === 'c/pay'
    ? answerCheckout(account, id, act)
    : answerPortal(account, prices, { id, act, path });
}

function answerCheckout(account: BillingAccount, id: string, act: string | null): PageAnswer {
  const session = account.state.sessions[id];
  if (!session) return { status: 404, html: 'No such page' };
  if (act === 'pay' && completeSession(account, session, 'works')) return { location: session.successUrl };
  return { html: checkoutPage(account, session, act === 'decline') };
}

function answerInvoice(account: BillingAccount, id: string, act: string | null): PageAnswer {
  const invoice = account.state.invoices[id];
  if (!invoice) return { status: 404, html: 'No such page' };
  const customer = account.state.customers[invoice.customer];
  if (act !== null && customer) customer.card = act === 'pay' ? 'works' : 'declines';
  if (act === 'pay') payOpenInvoices(account, invoice.customer);
  return { html: invoicePage(account, invoice, act === 'decline') };
}

function answerPortal(
  account: BillingAccount,
  prices: readonly Price[],
  { id, act, path }: { id: string; act: string | null; path: string },
): PageAnswer {
  const portal = account.state.portals[id];
  if (!portal) return { status: 404, html: 'No such page' };
  if (act === null) return { html: portalPage(account, portal.customer, portal.returnUrl) };
  manage(account, prices, portal.customer, act);
  return { location: path };
}

/** What a customer does on its page. */
export function manage(
  account: BillingAccount,
  prices: readonly Price[],
  customerId: string,
  act: string,
): void {
  const customer = account.state.customers[customerId];
  if (!customer) return;
  if (act === 'card_works' || act === 'card_declines') {
    customer.card = act === 'card_works' ? 'works' : 'declines';
    if (act === 'card_works') payOpenInvoices(account, customerId);
    return;
  }
  const price = prices.find(({ interval }) => act === `switch_${interval}`);
  for (const subscription of Object.values(account.state.subscriptions)) {
    if (subscription.customer !== customerId || !isLive(subscription)) continue;
    if (price) switchPrice(account, subscription, price.id);
    else if (act === 'cancel' || act === 'resume')
      setCancelAtPeriodEnd(account, subscription, act === 'cancel');
  }
}
