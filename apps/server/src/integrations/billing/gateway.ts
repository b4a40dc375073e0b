import type { BilledStatus, PaymentNotice, SubscriptionInterval } from '@copydesk/domain/billing';

/** A subscription as the payment service shows it now. */
export interface ReadSubscription {
  id: string;
  status: BilledStatus;
  interval: SubscriptionInterval;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
  trialEnd: Date | null;
  /** When the oldest unpaid invoice was issued. */
  unpaidSince: Date | null;
  endedAt: Date | null;
}

/** A customer with the subscription that counts: a live one before an ended one, and the latest of several. */
export interface ReadCustomer {
  /** As stored at the payment service when the customer was created; not checked. */
  communityId: string | null;
  subscription: ReadSubscription | null;
  /** Subscriptions that are billed at present. */
  liveCount: number;
  paymentNotice: PaymentNotice | null;
}

export interface ReadPrice {
  isActive: boolean;
  interval: SubscriptionInterval | null;
  currency: string;
  /** Cents. */
  amount: number | null;
}

/** The payment service that bills communities. All of its methods throw BillingErrors and nothing else. */
export interface BillingGateway {
  /**
   * Creates the customer of a community. A repeat with the same community and name within a day gets the same
   * customer.
   */
  createCustomer(community: { id: string; name: string }): Promise<string>;
  readPrice(interval: SubscriptionInterval): Promise<ReadPrice>;
  /**
   * The page where a customer subscribes: an open one of the same interval that comes back to the same place, or a new
   * one in place of any other. Of two requests at once both get the same page, or one of them a `conflict`.
   * @returns null: the customer has a live subscription
   */
  openCheckout(order: {
    customerId: string;
    communityId: string;
    interval: SubscriptionInterval;
    successUrl: string;
    cancelUrl: string;
  }): Promise<string | null>;
  /** The page where the oldest unpaid invoice of a customer is paid; null: none is unpaid. */
  findUnpaidInvoice(customerId: string): Promise<string | null>;
  /** The page where a customer changes or cancels its subscription. */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /**
   * Stops every renewal of a customer: its live subscriptions end with their paid period, and open pages can
   * no longer be paid. Repeating it changes nothing.
   */
  endAtPeriodEnd(customerId: string): Promise<void>;
  readCustomer(customerId: string): Promise<ReadCustomer>;
  /** Null: the charge has no customer. */
  findCustomerOfCharge(chargeId: string): Promise<string | null>;
  /** Every customer that has or had a subscription, each once. */
  listCustomers(): AsyncIterable<string>;
}

export type BillingProblem =
  | 'not_found'
  /** Another request with the same key is under way, or had other contents. */
  | 'conflict'
  /** It does not accept our key or our request. */
  | 'refused'
  | 'rate_limited'
  | 'unavailable'
  | 'bad_response';

/** Why a request to the payment service failed, in our own words only: its texts may quote the key. */
export class BillingError extends Error {
  readonly code: BillingProblem;
  /** For a question to the payment service. */
  readonly requestId: string | null;

  constructor(code: BillingProblem, requestId: string | null = null) {
    super(requestId ? `${code} (request ${requestId})` : code);
    this.name = 'BillingError';
    this.code = code;
    this.requestId = requestId;
  }
}
