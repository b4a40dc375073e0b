import { type BillingAccount, byCreation } from './billing-account.ts';
import type { Charge, Dispute } from './billing-state.ts';

const lastPaid = ({ state }: BillingAccount, customer: string): Charge | undefined =>
  byCreation(state.charges).find((charge) => charge.customer === customer && charge.paid);

/** Refunds the last payment of a customer. */
export function refundLast(account: BillingAccount, customer: string): void {
  const charge = lastPaid(account, customer);
  if (!charge) return;
  charge.refunded = true;
  account.tell.charge('charge.refunded', charge);
}

/** The cardholder disputes the last payment. */
export function disputeLast(account: BillingAccount, customer: string): void {
  const charge = lastPaid(account, customer);
  if (!charge) return;
  charge.disputed = true;
  const dispute: Dispute = {
    id: account.id('dp'),
    charge: charge.id,
    amount: charge.amount,
    status: 'needs_response',
    created: account.now(),
  };
  account.state.disputes[dispute.id] = dispute;
  account.tell.dispute('charge.dispute.created', dispute);
}

/** Closes the open dispute of a customer. */
export function closeDispute(account: BillingAccount, customer: string, status: 'won' | 'lost'): void {
  const { state } = account;
  const dispute = byCreation(state.disputes).find(
    ({ charge, status: now }) => state.charges[charge]?.customer === customer && now === 'needs_response',
  );
  if (!dispute) return;
  dispute.status = status;
  account.tell.dispute('charge.dispute.closed', dispute);
}
