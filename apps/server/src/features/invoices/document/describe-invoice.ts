import type { CallAnswer } from '@copydesk/contract';
import { EXCHANGE_NAMES, type Language } from '@copydesk/domain/catalogue';
import { askedUnits, decimalToUnits, mostOf, shortId } from '@copydesk/domain/money';
import { NETWORK } from '../../../core/outbox/render-owner-notice.ts';
import { exactText, payableText } from '../../../core/outbox/texts/amount-text.ts';
import { textsIn } from '../../../core/outbox/texts/catalogues.ts';
import { dateIn } from '../../../core/outbox/texts/date-text.ts';
import { leftToRight, nameInText, textOnOneLine } from '../../../core/outbox/texts/markup.ts';
import { describeBasis } from './describe-basis.ts';
import type { InvoicePaper, Line, Table } from './invoice-paper.ts';
import { fill, INVOICE_TEXTS, type InvoiceState } from './invoice-texts.ts';
import { breakable, decimalText, usdtText } from './paper-text.ts';

export type InvoiceDetail = CallAnswer<'GET /api/invoices/{id}'>['data'];
type InvoicedPosition = CallAnswer<'GET /api/invoices/{id}/positions'>['data'][number];

/** What an invoice on paper is made from. */
export interface InvoiceFacts {
  detail: InvoiceDetail;
  /** At most `MOST_POSITIONS` of them. */
  positions: { shown: readonly InvoicedPosition[]; total: number };
  isRecalled: boolean;
  /** When the facts were read. */
  readAt: Date;
}

/** Positions on paper. What comes after them is only counted. */
export const MOST_POSITIONS = 1_000;
const LONGEST_TEXT = 64;
/** An account is named by a number, or by an address, which is too long for a column. */
const LONGEST_ACCOUNT = 16;

/**
 * An invoice as its trader reads it. How the amount is divided among its recipients, the provider's part and tips are not
 * the trader's business, and not in here.
 */
export function describeInvoice(facts: InvoiceFacts, language: Language): InvoicePaper {
  const { detail, positions, readAt } = facts;
  const words = INVOICE_TEXTS[language];
  const openUnits = openUnitsOf(detail);
  // An archived one was given up: its trader is asked for nothing.
  const isAsking = detail.status === 'pending' && !detail.is_archived && !detail.is_of_pool && openUnits > 0n;
  const at = dateIn(language, readAt);
  const short = shortId(detail.id);
  return {
    language,
    is_rtl: language === 'ar',
    written: [
      readAt.getUTCFullYear(),
      readAt.getUTCMonth() + 1,
      readAt.getUTCDate(),
      readAt.getUTCHours(),
      readAt.getUTCMinutes(),
      readAt.getUTCSeconds(),
    ],
    title: `${words.invoice} ${short}`,
    community: breakable(textOnOneLine(detail.community_name, LONGEST_TEXT)),
    heading: words.invoice,
    short_id: short,
    id: detail.id,
    facts: headFacts(facts, language),
    pay: isAsking
      ? {
          label: words.to_pay,
          amount: leftToRight(`${payableText(openUnits)} USDT`),
          lines: [{ label: words.network, value: NETWORK }],
          address_label: words.address,
          address: detail.payment_address,
          warning: textsIn(language)('only_so'),
        }
      : null,
    instead_of_pay: detail.status === 'pending' && detail.is_of_pool ? words.of_pool : null,
    basis: { heading: words.basis, ...describeBasis(detail, language) },
    balance: { heading: words.balance, lines: balanceLines(detail, openUnits, language) },
    tables: [
      deductionTable(detail, language),
      paymentTable(detail, language),
      positionTable(positions, language),
    ].filter(({ rows }) => rows.length > 0),
    footer: fill(words.footer, { id: leftToRight(detail.id), at }),
    page: words.page,
  };
}

const unitsOf = (amount: string) => decimalToUnits(amount) ?? 0n;
const openUnitsOf = ({ status, amount, paid_amount }: InvoiceDetail) =>
  status === 'pending' ? mostOf(unitsOf(amount) - unitsOf(paid_amount), 0n) : 0n;

function stateOf({ detail, isRecalled }: InvoiceFacts): InvoiceState {
  if (detail.status === 'paid') return 'paid';
  if (detail.status === 'cancelled') return isRecalled ? 'recalled' : 'cancelled';
  if (detail.is_overdue) return 'overdue';
  return unitsOf(detail.paid_amount) > 0n ? 'part_paid' : 'open';
}

function headFacts(facts: InvoiceFacts, language: Language): Line[] {
  const { trader, created_at, due_at, paid_at } = facts.detail;
  const words = INVOICE_TEXTS[language];
  const name = nameInText(trader.name);
  const short = (text: string) => leftToRight(breakable(textOnOneLine(text, LONGEST_TEXT)));
  return [
    ...(name ? [{ label: words.issued_to, value: breakable(name) }] : []),
    ...(trader.reference_number ? [{ label: words.reference, value: short(trader.reference_number) }] : []),
    ...(trader.telegram_username
      ? [{ label: words.telegram, value: short(`@${trader.telegram_username}`) }]
      : []),
    { label: words.state, value: words.states[stateOf(facts)], is_strong: true },
    { label: words.issued, value: dateIn(language, new Date(created_at)) },
    { label: words.due, value: dateIn(language, new Date(due_at)) },
    ...(paid_at ? [{ label: words.paid_at, value: dateIn(language, new Date(paid_at)) }] : []),
  ];
}

/** What is asked for is in whole millionths: it is said beside an amount that has smaller parts. */
function balanceLines(detail: InvoiceDetail, openUnits: bigint, language: Language): Line[] {
  const words = INVOICE_TEXTS[language];
  const units = unitsOf(detail.amount);
  const has = (amount: string) => unitsOf(amount) > 0n;
  const elsewhere = detail.off_platform_amount;
  return [
    { label: words.amount, value: usdtText(detail.amount) },
    ...(askedUnits(units) === units ? [] : [{ label: words.asked, value: usdtText(detail.asked_amount) }]),
    ...(has(detail.on_chain_amount)
      ? [{ label: words.received, value: usdtText(detail.on_chain_amount) }]
      : []),
    ...(has(elsewhere) ? [{ label: words.off_platform, value: usdtText(elsewhere) }] : []),
    {
      label: words.still_due,
      value: leftToRight(`${exactText(askedUnits(openUnits))} USDT`),
      is_strong: true,
    },
  ];
}

function deductionTable({ deductions }: InvoiceDetail, language: Language): Table {
  const words = INVOICE_TEXTS[language];
  return {
    heading: words.deductions,
    columns: [
      { label: words.earlier_invoice, kind: 'code' },
      { label: words.symbol, kind: 'text' },
      { label: 'USDT', kind: 'figure' },
    ],
    rows: deductions.map(({ invoice_id, symbol, amount }) => [
      invoice_id,
      textOnOneLine(symbol, LONGEST_TEXT),
      decimalText(amount),
    ]),
    notes: [],
  };
}

function paymentTable({ payments }: InvoiceDetail, language: Language): Table {
  const words = INVOICE_TEXTS[language];
  return {
    heading: words.payments,
    columns: [
      { label: `${words.received_at}, UTC`, kind: 'text' },
      { label: words.transaction, kind: 'code' },
      { label: 'USDT', kind: 'figure' },
    ],
    rows: payments.map(({ received_at, transaction_hash, amount }) => [
      timeText(received_at),
      transaction_hash ?? '',
      decimalText(amount),
    ]),
    notes: [],
  };
}

function positionTable({ shown, total }: InvoiceFacts['positions'], language: Language): Table {
  const words = INVOICE_TEXTS[language];
  const rows = shown.slice(0, MOST_POSITIONS);
  const isBeforeFees = rows.some(({ fees_included }) => fees_included === false);
  const hidden = total - rows.length;
  return {
    heading: words.positions,
    columns: [
      { label: words.account, kind: 'text' },
      { label: words.symbol, kind: 'text' },
      { label: words.side, kind: 'text' },
      { label: `${words.opened}, UTC`, kind: 'text' },
      { label: `${words.closed}, UTC`, kind: 'text' },
      { label: words.entry, kind: 'figure' },
      { label: words.exit, kind: 'figure' },
      { label: `${words.profit}, USD`, kind: 'figure' },
      ...(isBeforeFees ? [{ label: '', kind: 'text' } as const] : []),
    ],
    rows: rows.map((position) => [
      accountText(position),
      textOnOneLine(position.symbol, LONGEST_TEXT),
      position.side === 'long' ? 'Long' : 'Short',
      position.opened_at ? timeText(position.opened_at) : '',
      timeText(position.closed_at),
      position.entry_price ?? '',
      position.exit_price ?? '',
      decimalText(position.closed_pnl),
      ...(isBeforeFees ? [position.fees_included === false ? '*' : ''] : []),
    ]),
    notes: [
      ...(isBeforeFees ? [words.before_fees] : []),
      ...(hidden > 0 ? [fill(words.more_positions, { count: String(hidden) })] : []),
    ],
  };
}

function accountText({ exchange, acc_uid }: InvoicedPosition): string {
  const uid = textOnOneLine(acc_uid, LONGEST_TEXT);
  // The joiner keeps what is left of it in one line.
  const short = uid.length > LONGEST_ACCOUNT ? shortId(uid).replace('…', '…\u2060') : uid;
  return `${EXCHANGE_NAMES[exchange]} ${short}`;
}

/** 2026-11-24 21:30, which no language reads in another way. */
const timeText = (iso: string) => leftToRight(iso.slice(0, 16).replace('T', ' '));
