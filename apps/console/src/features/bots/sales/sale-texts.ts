import type { Sale } from '../bot-queries.ts';

/** The buyer's name, as the bot knows it. */
export function buyerName({
  trader_name: name,
  telegram_username: handle,
}: Pick<Sale, 'trader_name' | 'telegram_username'>): string {
  return name || (handle ? `@${handle}` : 'Unnamed buyer');
}

/** The state of an order. */
export function saleState({ status, paid_amount, cancelled_because }: Sale): {
  text: string;
  tone: 'positive' | 'caution' | 'neutral';
} {
  if (status === 'paid') return { text: 'Paid', tone: 'positive' };
  if (status === 'pending')
    return Number(paid_amount) > 0
      ? { text: 'Partly paid', tone: 'caution' }
      : { text: 'Open', tone: 'neutral' };
  return { text: cancelled_because === 'expired' ? 'Expired' : 'Cancelled', tone: 'neutral' };
}
