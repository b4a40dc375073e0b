import type { Language } from '@copydesk/domain/catalogue';

/** A label and its value. A strong one is a sum. */
export interface Line {
  label: string;
  value: string;
  is_strong?: boolean;
}

/** Columns of figures are aligned at their end; those of codes have letters of one width. */
interface Column {
  label: string;
  kind: 'text' | 'figure' | 'code';
}

export interface Table {
  heading: string;
  columns: Column[];
  rows: string[][];
  /** Sentences below it. */
  notes: string[];
}

/** Everything that the template `invoice` prints: it has no words and no rules of its own. */
export interface InvoicePaper {
  language: Language;
  /** Whether lines begin at the right. */
  is_rtl: boolean;
  /** The time of the document, UTC: year, month, day, hour, minute, second. */
  written: [number, number, number, number, number, number];
  title: string;
  community: string;
  heading: string;
  short_id: string;
  id: string;
  facts: Line[];
  /** How to pay it; null: it is paid, cancelled, or paid by a pool. */
  pay: {
    label: string;
    amount: string;
    lines: Line[];
    address_label: string;
    address: string;
    warning: string;
  } | null;
  /** Why there is nothing to send although it is open; null elsewhere. */
  instead_of_pay: string | null;
  basis: { heading: string; rule: string; lines: Line[] };
  balance: { heading: string; lines: Line[] };
  tables: Table[];
  footer: string;
  /** With `{page}` and `{pages}`. */
  page: string;
}
