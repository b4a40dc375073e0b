import { type ApiAnswer, found, invalid, listAnswer, missing, refuse } from './api-answer.ts';
import { type BillingAccount, byCreation, newCustomer } from './billing-account.ts';
import type { Portal, Session } from './billing-state.ts';
import { catchUp, setCancelAtPeriodEnd } from './lifecycle.ts';
import { chargeObject, disputeObject } from './objects/charge.ts';
import { sessionObject } from './objects/checkout-session.ts';
import { customerObject } from './objects/customer.ts';
import { invoiceObject } from './objects/invoice.ts';
import { portalObject } from './objects/portal-session.ts';
import { priceObject } from './objects/price.ts';
import { subscriptionObject } from './objects/subscription.ts';
import { type FormValue, partOf, textOf, textsOf } from './read-form.ts';

export interface ApiCall {
  method: string;
  /** Below /v1. */
  path: string;
  query: URLSearchParams;
  form: { [key: string]: FormValue };
}

const ID = /\/((?:cus|cs|sub|in|ch|price)_\w+)/;

/** Answers a call of the API (docs.stripe.com/api), of which here is what a subscription needs. */
export function answerApi(call: ApiCall, account: BillingAccount, baseUrl: string): ApiAnswer {
  catchUp(account);
  const id = ID.exec(call.path)?.[1] ?? '';
  const key = `${call.method} ${call.path.replace(ID, '/{id}')}`;
  return (CALLS[key] ?? unknown)({ ...call, id, account, baseUrl });
}

interface Asked extends ApiCall {
  id: string;
  account: BillingAccount;
  baseUrl: string;
}

const unknown = ({ method, path }: Asked): ApiAnswer =>
  refuse(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: /v1${path}).`,
  });

const CALLS: Record<string, (asked: Asked) => ApiAnswer> = {
  'POST /customers': ({ account, form }) =>
    found(
      customerObject(newCustomer(account, { name: textOf(form.name), metadata: textsOf(form.metadata) })),
    ),
  'GET /customers/{id}': ({ id, account: { state } }) => {
    const customer = state.customers[id];
    return customer ? found(customerObject(customer)) : missing('customer', id);
  },

  'GET /prices/{id}': ({ id, account }) => {
    try {
      return found(priceObject(account.priceOf(id)));
    } catch {
      return missing('price', id);
    }
  },

  'POST /checkout/sessions': openSession,
  'GET /checkout/sessions': ({ account, query, baseUrl }) =>
    listAnswer(
      '/v1/checkout/sessions',
      byCreation(account.state.sessions).filter(
        ({ customer, status }) => isAsked(query, 'customer', customer) && isAsked(query, 'status', status),
      ),
      query,
      (session) => sessionObject(session, account.priceOf(session.price), baseUrl),
    ),
  'GET /checkout/sessions/{id}': ({ id, account, baseUrl }) => {
    const session = account.state.sessions[id];
    return session
      ? found(sessionObject(session, account.priceOf(session.price), baseUrl))
      : missing('checkout.session', id);
  },
  'POST /checkout/sessions/{id}/expire': ({ id, account, baseUrl }) => {
    const session = account.state.sessions[id];
    if (!session) return missing('checkout.session', id);
    if (session.status !== 'open')
      return invalid(`Only Checkout Sessions with a status in ["open"] can be expired.`);
    session.status = 'expired';
    return found(sessionObject(session, account.priceOf(session.price), baseUrl));
  },

  'POST /billing_portal/sessions': ({ account, form, baseUrl }) => {
    const customer = textOf(form.customer) ?? '';
    if (!account.state.customers[customer]) return missing('customer', customer);
    const portal: Portal = {
      id: account.id('bps'),
      customer,
      returnUrl: textOf(form.return_url) ?? baseUrl,
      created: account.now(),
    };
    account.state.portals[portal.id] = portal;
    return found(portalObject(portal, baseUrl));
  },

  'GET /subscriptions': ({ account, query }) => {
    const status = query.get('status');
    return listAnswer(
      '/v1/subscriptions',
      byCreation(account.state.subscriptions).filter(
        (one) =>
          isAsked(query, 'customer', one.customer) &&
          isAsked(query, 'price', one.price) &&
          (status === 'all' || (status === null ? one.status !== 'canceled' : one.status === status)),
      ),
      query,
      (one) => subscriptionObject(one, account.priceOf(one.price)),
    );
  },
  'POST /subscriptions/{id}': ({ id, account, form }) => {
    const one = account.state.subscriptions[id];
    if (!one) return missing('subscription', id);
    if (one.status === 'canceled')
      return invalid('A canceled subscription can only update its cancellation_details and metadata.');
    const isEnding = textOf(form.cancel_at_period_end);
    if (isEnding !== null) setCancelAtPeriodEnd(account, one, isEnding === 'true');
    return found(subscriptionObject(one, account.priceOf(one.price)));
  },
  'GET /subscriptions/{id}': ({ id, account }) => {
    const one = account.state.subscriptions[id];
    return one ? found(subscriptionObject(one, account.priceOf(one.price))) : missing('subscription', id);
  },

  'GET /invoices': ({ account, query, baseUrl }) =>
    listAnswer(
      '/v1/invoices',
      byCreation(account.state.invoices).filter(
        ({ customer, subscription, status }) =>
          isAsked(query, 'customer', customer) &&
          isAsked(query, 'subscription', subscription) &&
          isAsked(query, 'status', status),
      ),
      query,
      (invoice) => invoiceObject(invoice, baseUrl),
    ),
  'GET /invoices/{id}': ({ id, account: { state }, baseUrl }) => {
    const invoice = state.invoices[id];
    return invoice ? found(invoiceObject(invoice, baseUrl)) : missing('invoice', id);
  },

  'GET /charges': ({ account, query }) =>
    listAnswer(
      '/v1/charges',
      byCreation(account.state.charges).filter(({ customer }) => isAsked(query, 'customer', customer)),
      query,
      chargeObject,
    ),
  'GET /charges/{id}': ({ id, account: { state } }) => {
    const charge = state.charges[id];
    return charge ? found(chargeObject(charge)) : missing('charge', id);
  },
  'GET /disputes': ({ account, query }) =>
    listAnswer(
      '/v1/disputes',
      byCreation(account.state.disputes).filter(({ charge }) => isAsked(query, 'charge', charge)),
      query,
      disputeObject,
    ),
};

const isAsked = (query: URLSearchParams, name: string, value: string) =>
  !query.has(name) || query.get(name) === value;

function openSession({ account, form, baseUrl }: Asked): ApiAnswer {
  const customer = textOf(form.customer) ?? '';
  if (!account.state.customers[customer]) return missing('customer', customer);
  if (textOf(form.mode) !== 'subscription') return invalid('Only subscriptions are sold here.', 'mode');
  const price = textOf(partOf(partOf(form.line_items)['0']).price) ?? '';
  const successUrl = textOf(form.success_url);
  if (!successUrl) return invalid('Missing required param: success_url.', 'success_url');
  const ofSubscription = partOf(form.subscription_data);
  const session: Session = {
    id: account.id('cs'),
    customer,
    price,
    status: 'open',
    successUrl,
    cancelUrl: textOf(form.cancel_url),
    clientReferenceId: textOf(form.client_reference_id),
    metadata: textsOf(form.metadata),
    subscriptionMetadata: textsOf(ofSubscription.metadata),
    trialDays: Number(textOf(ofSubscription.trial_period_days) ?? 0),
    subscription: null,
    created: account.now(),
  };
  try {
    account.priceOf(price);
  } catch {
    return missing('price', price);
  }
  account.state.sessions[session.id] = session;
  return found(sessionObject(session, account.priceOf(price), baseUrl));
}
