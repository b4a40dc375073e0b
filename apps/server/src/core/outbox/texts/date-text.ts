import type { Language } from '@copydesk/domain/catalogue';
import { ownDirection } from './markup.ts';

/** Western digits, as in the amounts, and the calendar of invoices, in Arabic too. */
export function dateIn(language: Language, date: Date): string {
  const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return ownDirection(`${format.format(date)} UTC`);
}
