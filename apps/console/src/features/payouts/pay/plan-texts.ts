import { shortId, sumDecimals } from '@copydesk/domain/money';
import { formatCount } from '../../../lib/format/numbers.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import { addressesOf } from '../distribute/selection.ts';
import { bnb, payoutsWord, recipientsWord } from '../payout-texts.ts';
import type { PayPlan } from '../payouts-queries.ts';
import type { PayoutOrder } from './payout-order.ts';

/** The recipient: an address when there is one, else the number. */
function whom({ kind }: PayoutOrder, { payouts }: PayPlan): string {
  const [first] = payouts;
  return kind === 'withdraw' && first
    ? shortId(first.recipientAddress)
    : recipientsWord(addressesOf(payouts).size);
}

/** The button's exact effect. */
export function payWords(order: PayoutOrder, plan: PayPlan): string {
  const what = `${usdt(plan.total_amount)} to ${whom(order, plan)}`;
  return plan.needs_approval ? `Request approval to pay ${what}` : `Pay ${what}`;
}

export function transactionWords({ transaction_count, consolidations, payouts }: PayPlan): string {
  const all = formatCount(transaction_count);
  if (consolidations.count === 0) return `${all}, one a payout`;
  return `${all}: ${formatCount(consolidations.count)} to collect, ${formatCount(payouts.length)} to pay`;
}

export function collectedWords({ consolidations: { count, amount } }: PayPlan): string {
  if (count === 0) return 'Nothing: the wallet holds enough';
  return `${usdt(amount)} from ${formatCount(count)} ${count === 1 ? 'deposit' : 'deposits'}`;
}

export const feeWords = ({ expected_fee }: Pick<PayPlan, 'expected_fee'>) =>
  expected_fee === null ? 'Not known yet' : `About ${bnb(expected_fee)} BNB`;

/** What is above the largest payout. */
export const aboveMaximumWords = ({ maximum, payout_count: count }: NonNullable<PayPlan['above_maximum']>) =>
  `${payoutsWord(count)} ${count === 1 ? 'is' : 'are'} above the largest payout of ${usdt(maximum)}`;

/** The message after the order. */
export function sentWords(plan: PayPlan): { title: string; text?: string } {
  if (plan.distribution?.state === 'awaiting_approval')
    return {
      title: 'Approval requested',
      text: `${usdt(plan.total_amount)} is paid once ${plan.above_maximum ? 'two further super admins approve' : 'another super admin approves'} it`,
    };
  const recipients = recipientsWord(addressesOf(plan.payouts).size);
  return { title: `Payout ordered: ${recipients}, ${usdt(plan.total_amount)}`, text: 'Not sent yet.' };
}

/** The progress of payouts, in one line. */
export function progressWords(statuses: readonly string[]): string {
  const count = (status: string) => statuses.filter((each) => each === status).length;
  const failed = count('failed');
  const done = `${formatCount(count('distributed'))} of ${payoutsWord(statuses.length)} distributed`;
  return failed > 0 ? `${done}, ${formatCount(failed)} failed` : done;
}

/** Why an order waits. */
export function approvalWords(plan: PayPlan): string {
  const { is_above_limit, own_address_set_by: author } = plan.approval_reasons;
  const ofAddress =
    author && `It pays to an address that ${author} set and nobody else has released: you have a part in it.`;
  return [is_above_limit && limitWords(plan), ofAddress].filter(Boolean).join(' ');
}

/** Its total together with the orders of the last 24 hours, and the limit that they cross. */
function limitWords({ approval_limit: limit, total_amount }: PayPlan): string {
  if (!limit) return '';
  const { ordered_for_community: ofCommunity, ordered_by_caller: ofCaller, above } = limit;
  if (ofCommunity === '0' && ofCaller === '0') return `It is above the limit of ${usdt(above)}.`;
  const isOfCommunity = Number(ofCommunity) >= Number(ofCaller);
  const sum = usdt(sumDecimals([isOfCommunity ? ofCommunity : ofCaller, total_amount]));
  return `This brings orders of the last 24 hours ${isOfCommunity ? 'for this community' : 'by you'} to ${sum}. The limit is ${usdt(above)}.`;
}
