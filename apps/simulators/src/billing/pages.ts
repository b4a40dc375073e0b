import type { BillingAccount } from './billing-account.ts';
import { byCreation } from './billing-account.ts';
import type { Invoice, Session } from './billing-state.ts';
import { isLive } from './lifecycle.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;place-items:center;min-height:100vh;background:light-dark(#f5f6f8,#111418);color:light-dark(#1b1f24,#e8eaed)}
main{box-sizing:border-box;width:min(28rem,100vw);padding:2rem;background:light-dark(#fff,#1b1f24);border-radius:12px}
h1{font-size:1.25rem;margin:0 0 .25rem}p{margin:.25rem 0 1rem}form{display:grid;gap:.5rem}
button{font:inherit;padding:.6rem 1rem;border-radius:8px;border:1px solid #8a93a0;background:none;color:inherit;cursor:pointer}
button.main{background:#1d5fd1;border-color:#1d5fd1;color:#fff}[role=alert]{color:light-dark(#b3261e,#f2b8b5)}
a{color:light-dark(#1d5fd1,#8ab4f8)}`;

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
const DECLINED = '<p role="alert">The card was declined. Try another one.</p>';
const button = (act: string, label: string, isMain = false) =>
  `<button name="act" value="${act}"${isMain ? ' class="main"' : ''}>${label}</button>`;
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const day = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** The page to pay on. No card is real, so it asks only whether the card works. */
export function checkoutPage(account: BillingAccount, session: Session, wasDeclined: boolean): string {
  const { amount, interval } = account.priceOf(session.price);
  const name = account.state.customers[session.customer]?.name ?? 'A community';
  if (session.status !== 'open')
    return page('Checkout', `<h1>This page is ${session.status}</h1><p>Go back and start again.</p>`);
  return page(
    'Checkout',
    `<h1>Subscribe ${escapeHtml(name)}</h1><p>${dollars(amount)} per ${interval}. A simulated payment: no card is charged.</p>
${wasDeclined ? DECLINED : ''}
<form method="post">${button('pay', `Pay ${dollars(amount)}`, true)}${button('decline', 'Pay with a card that is declined')}</form>
${session.cancelUrl ? `<p><a href="${escapeHtml(session.cancelUrl)}">Back</a></p>` : ''}`,
  );
}

/** The page of an invoice. It leads nowhere: a person pays and closes it. */
export function invoicePage(account: BillingAccount, invoice: Invoice, wasDeclined: boolean): string {
  const name = account.state.customers[invoice.customer]?.name ?? 'A community';
  const amount = dollars(invoice.amount);
  if (invoice.status !== 'open')
    return page('Invoice', `<h1>Invoice of ${escapeHtml(name)}</h1><p>${amount}, ${invoice.status}.</p>`);
  return page(
    'Invoice',
    `<h1>Invoice of ${escapeHtml(name)}</h1><p>${amount} due. A simulated payment: no card is charged.</p>
${wasDeclined ? DECLINED : ''}
<form method="post">${button('pay', `Pay ${amount}`, true)}${button('decline', 'Pay with a card that is declined')}</form>`,
  );
}

/** The page where a customer manages its subscription. */
export function portalPage(account: BillingAccount, customerId: string, returnUrl: string): string {
  const { state } = account;
  const own = byCreation(state.subscriptions).filter(({ customer }) => customer === customerId);
  const subscription = own.find(isLive) ?? own[0];
  const name = state.customers[customerId]?.name ?? 'A community';
  const back = `<p><a href="${escapeHtml(returnUrl)}">Return to the console</a></p>`;
  if (!subscription) return page('Billing', `<h1>${escapeHtml(name)}</h1><p>No subscription.</p>${back}`);
  const { interval, amount } = account.priceOf(subscription.price);
  const other = interval === 'year' ? 'month' : 'year';
  const ends = subscription.cancelAtPeriodEnd
    ? `Ends on ${day(subscription.periodEnd)}`
    : `Renews on ${day(subscription.periodEnd)}`;
  const declines = state.customers[customerId]?.card === 'declines';
  const acts = isLive(subscription)
    ? [
        subscription.cancelAtPeriodEnd
          ? button('resume', 'Resume subscription', true)
          : button('cancel', 'Cancel subscription'),
        button(`switch_${other}`, `Pay by the ${other}`),
        declines
          ? button('card_works', 'Enter a card that works and pay')
          : button('card_declines', 'Enter a card that will be declined'),
      ].join('')
    : '';
  return page(
    'Billing',
    `<h1>${escapeHtml(name)}</h1><p>${dollars(amount)} per ${interval} · ${subscription.status}${isLive(subscription) ? ` · ${ends}` : ''}</p>
<form method="post">${acts}</form>${back}`,
  );
}
