export interface Price {
  id: string;
  interval: 'month' | 'year';
  /** Cents. */
  amount: number;
}

/** The end of a period of a price, counted in calendar months as the vendor does. */
export function periodAfter(start: number, { interval }: Price): number {
  const from = new Date(start * 1_000);
  const months = interval === 'year' ? 12 : 1;
  const wanted = new Date(from);
  wanted.setUTCDate(1);
  wanted.setUTCMonth(from.getUTCMonth() + months);
  const days = new Date(Date.UTC(wanted.getUTCFullYear(), wanted.getUTCMonth() + 1, 0)).getUTCDate();
  wanted.setUTCDate(Math.min(from.getUTCDate(), days));
  return Math.floor(wanted.getTime() / 1_000);
}
