import { randomBytes } from 'node:crypto';
import {
  type BillingState,
  type Charge,
  type Customer,
  type Dispute,
  emptyState,
  type Invoice,
  loadBilling,
  type Seconds,
  type Session,
  type Subscription,
  saveBilling,
} from './billing-state.ts';
import { chargeObject, disputeObject } from './objects/charge.ts';
import { sessionObject } from './objects/checkout-session.ts';
import { invoiceObject } from './objects/invoice.ts';
import { subscriptionObject } from './objects/subscription.ts';
import type { Price } from './prices.ts';

export interface AccountOptions {
  prices: readonly Price[];
  /** ms since 1970. */
  now: () => number;
  /** Null: nothing outlasts the process. */
  stateFile: string | null;
  /** Receives each event with the object as it is at that moment. */
  emit(event: { id: string; type: string; created: Seconds; object: unknown }): void;
  /** The address of the pages, known once the server listens. */
  baseUrl: () => string;
  /** Begins a state that was never saved. */
  seed?: (state: BillingState) => void;
}

/** The account of one merchant: its objects, its clock and its events. */
export interface BillingAccount {
  readonly state: BillingState;
  now(): Seconds;
  id(prefix: string): string;
  priceOf(id: string): Price;
  /** Stores what has changed, once per request. */
  save(): void;
  tell: {
    session(type: string, session: Session): void;
    subscription(type: string, subscription: Subscription): void;
    invoice(type: string, invoice: Invoice): void;
    charge(type: string, charge: Charge): void;
    dispute(type: string, dispute: Dispute): void;
  };
}

export function createAccount(options: AccountOptions): BillingAccount {
  const { prices, emit, baseUrl, stateFile } = options;
  let state = loadBilling(stateFile);
  if (!state) {
    state = emptyState();
    options.seed?.(state);
  }
  const held = state;
  const now = () => Math.floor(options.now() / 1_000) + held.aheadSeconds;
  // Ids show their order, and an id of one run cannot be guessed from another run.
  const id = (prefix: string) => {
    held.counter += 1;
    return `${prefix}_${String(held.counter).padStart(8, '0')}${randomBytes(6).toString('hex')}`;
  };
  const priceOf = (wanted: string): Price => {
    const price = prices.find((one) => one.id === wanted);
    if (!price) throw new Error(`no such price: ${wanted}`);
    return price;
  };
  const announce = (type: string, object: unknown) => emit({ id: id('evt'), type, created: now(), object });
  return {
    state: held,
    now,
    id,
    priceOf,
    save: () => saveBilling(stateFile, held),
    tell: {
      session: (type, it) => announce(type, sessionObject(it, priceOf(it.price), baseUrl())),
      subscription: (type, it) => announce(type, subscriptionObject(it, priceOf(it.price))),
      invoice: (type, it) => announce(type, invoiceObject(it)),
      charge: (type, it) => announce(type, chargeObject(it)),
      dispute: (type, it) => announce(type, disputeObject(it)),
    },
  };
}

export const byCreation = <T extends { created: Seconds; id: string }>(objects: Record<string, T>): T[] =>
  Object.values(objects).sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1));

export function newCustomer(account: BillingAccount, given: Pick<Customer, 'name' | 'metadata'>): Customer {
  const customer: Customer = { id: account.id('cus'), ...given, created: account.now(), card: 'works' };
  account.state.customers[customer.id] = customer;
  return customer;
}
