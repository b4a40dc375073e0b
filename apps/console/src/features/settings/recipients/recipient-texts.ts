import type { Recipient } from '../settings-queries.ts';

/** The platform's own recipients. */
export const RECIPIENT_WORDS: Record<Recipient['recipient_type'], { label: string; text: string }> = {
  hexmount: { label: 'Hexmount', text: "Its part of the platform's share of invoices" },
  sixk: { label: 'Sixk', text: "Its part of the platform's share of invoices" },
  tip: { label: 'Tips', text: 'What traders pay above their invoices' },
};
