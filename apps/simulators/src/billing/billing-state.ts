import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Seconds since 1970, as on the wire. */
export type Seconds = number;

export interface Customer {
  id: string;
  name: string | null;
  metadata: Record<string, string>;
  created: Seconds;
  /** Whether the next payments succeed. */
  card: 'works' | 'declines';
}

export interface Session {
  id: string;
  customer: string;
  price: string;
  status: 'open' | 'complete' | 'expired';
  successUrl: string;
  cancelUrl: string | null;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  subscriptionMetadata: Record<string, string>;
  trialDays: number;
  subscription: string | null;
  created: Seconds;
}

export interface Subscription {
  id: string;
  customer: string;
  price: string;
  status: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'canceled' | 'paused';
  metadata: Record<string, string>;
  created: Seconds;
  periodStart: Seconds;
  periodEnd: Seconds;
  trialEnd: Seconds | null;
  hasWarnedOfTrial: boolean;
  cancelAtPeriodEnd: boolean;
  canceledAt: Seconds | null;
  endedAt: Seconds | null;
  latestInvoice: string | null;
}

export interface Invoice {
  id: string;
  customer: string;
  subscription: string;
  amount: number;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  created: Seconds;
  periodStart: Seconds;
  periodEnd: Seconds;
  attempts: number;
  nextAttempt: Seconds | null;
  paidAt: Seconds | null;
}

export interface Charge {
  id: string;
  customer: string;
  amount: number;
  paid: boolean;
  refunded: boolean;
  disputed: boolean;
  created: Seconds;
}

export interface Dispute {
  id: string;
  charge: string;
  amount: number;
  status: 'needs_response' | 'won' | 'lost';
  created: Seconds;
}

export interface Portal {
  id: string;
  customer: string;
  returnUrl: string;
  created: Seconds;
}

export interface BillingState {
  /** Of all ids made so far. */
  counter: number;
  /** How far the clock was moved. */
  aheadSeconds: Seconds;
  customers: Record<string, Customer>;
  sessions: Record<string, Session>;
  subscriptions: Record<string, Subscription>;
  invoices: Record<string, Invoice>;
  charges: Record<string, Charge>;
  disputes: Record<string, Dispute>;
  portals: Record<string, Portal>;
}

export const emptyState = (): BillingState => ({
  counter: 0,
  aheadSeconds: 0,
  customers: {},
  sessions: {},
  subscriptions: {},
  invoices: {},
  charges: {},
  disputes: {},
  portals: {},
});

/** The saved state; null: there is none. */
export function loadBilling(file: string | null): BillingState | null {
  if (file === null) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BillingState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the file as a whole: a killed process leaves the old one or the new one. */
export function saveBilling(file: string | null, state: BillingState): void {
  if (file === null) return;
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}
