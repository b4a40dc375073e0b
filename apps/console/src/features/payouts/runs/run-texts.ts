import { sumDecimals } from '@copydesk/domain/money';
import { formatCount } from '../../../lib/format/numbers.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import { addressesOf } from '../distribute/selection.ts';
import { payoutsWord, recipientsWord } from '../payout-texts.ts';
import type { PayoutRun, RunPlan } from './runs-queries.ts';

export const communitiesWord = (n: number) => `${formatCount(n)} ${n === 1 ? 'community' : 'communities'}`;

/** The button's exact effect. */
export function payRunWords({ total_amount, lines, communities, needs_approval }: RunPlan): string {
  const to = `${recipientsWord(addressesOf(lines).size)} of ${communitiesWord(communities.length)}`;
  return `${needs_approval ? 'Request approval to pay' : 'Pay'} ${usdt(total_amount)} to ${to}`;
}

/** Why a community is not paid in a run, and what to do instead. */
export const EXCLUSIONS: Readonly<Record<RunPlan['left_out'][number]['reason'], string>> = {
  wallet_not_ready: 'its wallet is not set up yet',
  nothing_payable: 'nothing is payable now',
  above_maximum: 'a payout is above the largest one. Distribute it alone, and allow it once',
  all_below_minimum: 'every payout would be below the smallest one',
};

/** Why a run waits for another person. */
export function runApprovalWords({ total_amount, approval_reasons, approval_limit: limit }: RunPlan): string {
  const { is_above_limit: isAbove, communities_above: above, own_address_set_by: author } = approval_reasons;
  const byLimit = () => {
    if (!isAbove || !limit) return null;
    if (above.length > 0) {
      const names = `${above.slice(0, 3).join(', ')}${above.length > 3 ? ` and ${formatCount(above.length - 3)} more` : ''}`;
      return `Within 24 hours ${names} would be paid more than the limit of ${usdt(limit.above)}.`;
    }
    if (limit.ordered_by_caller === '0') return `It is above the limit of ${usdt(limit.above)}.`;
    return `This brings your orders of the last 24 hours to ${usdt(sumDecimals([limit.ordered_by_caller, total_amount]))}. The limit is ${usdt(limit.above)}.`;
  };
  const byAuthor =
    author && `It pays to an address that ${author} set and nobody else has released: you have a part in it.`;
  return [byLimit(), byAuthor].filter(Boolean).join(' ');
}

/** The message after the order. */
export function runSentWords({ state, total_amount, payout_count, community_count }: PayoutRun) {
  const what = `${usdt(total_amount)} in ${payoutsWord(payout_count)} of ${communitiesWord(community_count)}`;
  return state === 'awaiting_approval'
    ? { title: 'Approval requested', text: `${what}: paid once another super admin approves it` }
    : { title: `Payouts ordered: ${what}`, text: 'Not sent yet.' };
}
