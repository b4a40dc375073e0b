import { WRITE_OFF_ACTS } from '@copydesk/domain/access';
import { formatCount } from '../../../lib/format/numbers.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import type { Order } from './orders-queries.ts';

/** What an order does, in words that go on with "requested by". */
export function orderWords({ act, amount, lines, line_count, community }: Order): string {
  const pool = community ? `the pool of ${community.name}` : 'a pool';
  const members = lines.map(({ label }) => label);
  const who = members.length > 3 ? `${members.length} members` : members.join(', ');
  switch (act) {
    case 'pool_withdrawals':
      return `${usdt(amount)} out of ${pool} for ${who}`;
    case 'pool_return':
      return `${usdt(amount)} of a deposit into ${pool} back to ${who}`;
    case 'pool_funding_address':
      return `Funding of ${pool} to ${lines[0]?.to_address ?? 'no address'}`;
    case 'pool_connection':
      return `Connecting the exchange account of ${community?.name ?? 'a community'} as a pool`;
    case 'invoices_paid_off_platform':
      return `Marking as paid off-platform: ${invoicesWords(line_count)}, ${usdt(amount)} unpaid`;
    case 'invoices_archived':
      return `Archiving ${invoicesWords(line_count)}, ${usdt(amount)} unpaid`;
    case 'invoices_recalled':
      return `Recalling ${invoicesWords(line_count)}, ${usdt(amount)}`;
    case 'sale_cancelled':
      return `Cancelling an order with the bot${community ? ` of ${community.name}` : ''}, ${usdt(amount)} unpaid`;
    case 'sale_discounted':
      return `Taking ${usdt(amount)} off an open order with the bot${community ? ` of ${community.name}` : ''}`;
    case 'credit_tipped':
      return `Turning ${usdt(amount)} of credit${community ? ` in ${community.name}` : ''} into a tip`;
    case 'credit_returned':
      return `Sending ${usdt(amount)} of credit${community ? ` in ${community.name}` : ''} back to its trader`;
  }
}

const invoicesWords = (count: number) => (count === 1 ? '1 invoice' : `${formatCount(count)} invoices`);

const NEEDS: Record<Order['needs'][number], string> = {
  always: 'It takes two people, whatever the amount.',
  above_limit: 'It is above what one person may order within 24 hours.',
  own_address: 'Its author had a part in setting the address.',
  by_program: 'A program asked for it.',
};

/** Why an order needs another person. */
export const needsWords = ({ act, needs }: Order): string =>
  WRITE_OFF_ACTS.includes(act)
    ? 'It is above what one person may write off within 24 hours.'
    : needs.map((need) => NEEDS[need]).join(' ');

const FACTS: Record<string, string> = {
  reason: 'Reason',
  coupon: 'Coupon',
  present_address: 'Present address',
  address_at_the_exchange: 'Address at the exchange',
  exchange_account: 'Exchange account',
  minimum_deposit: 'Minimum deposit (USDT)',
  fee_basis: 'Fee basis',
  trading_bot: 'Trading bot',
};

/** What its author saw besides, by label. */
export const factWords = ({ facts }: Order): readonly (readonly [string, string])[] =>
  Object.entries(facts).map(([key, value]) => [
    FACTS[key] ?? key.replaceAll('_', ' '),
    value.replaceAll('_', ' '),
  ]);
