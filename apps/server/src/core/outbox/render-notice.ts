import { EXCHANGE_NAMES, type Exchange, type Language } from '@copydesk/domain/catalogue';
import type {
  InvoiceMessageKind,
  KeyMessageKind,
  WalletAnswerKind,
  WalletMessageKind,
  WithdrawalMessageKind,
} from '@copydesk/domain/messages';
import { askedUnits } from '@copydesk/domain/money';
import type { Keyboard } from '../../integrations/telegram/gateway.ts';
import { exactText, payableText } from './texts/amount-text.ts';
import { textsIn } from './texts/catalogues.ts';
import { dateIn } from './texts/date-text.ts';
import { copyable, leftToRight, nameInText } from './texts/markup.ts';

/** The facts in a message. */
export interface NoticeFacts {
  /** Of the invoice, or of all invoices in the message. Base units of USDT. */
  amountUnits: bigint;
  /** The part still to be paid. */
  outstandingUnits: bigint;
  /** The part settled elsewhere: 0 when unknown or omitted. */
  offPlatformUnits: bigint;
  /** What was deducted from a new invoice, of what an earlier one charged too much. */
  deductedUnits?: bigint;
  /** What a payment left for later invoices. */
  creditUnits?: bigint;
  /** Number of invoices in the message. */
  invoiceCount: number;
  /** The earliest of several. */
  dueAt: Date | null;
  paymentAddress: string | null;
}

/** The facts in a notice to a member of a pool. */
export interface WalletFacts {
  /** The member's own wallet; the message shows only its ends. */
  wallet: string;
  /** Base units; null: everything, or no amount. */
  units: bigint | null;
}

/** Where the exchange refuses keys of a trader, or ends them soon. */
export interface KeyFacts {
  exchanges: readonly Exchange[];
  /** Of keys that end: when the first one does. */
  endsAt: Date | null;
}

export interface Addressee {
  language: Language;
  name: string | null;
}

const NETWORK = leftToRight('BNB Smart Chain (BEP-20)');

/**
 * Renders a notice to a member in the HTML of the Bot API. It contains no text typed by a person, neither a
 * name nor a whole address: a person who changes a wallet could otherwise mislead its owner.
 */
export function renderWalletNotice(
  kind: WalletMessageKind,
  { wallet, units }: WalletFacts,
  { language }: Pick<Addressee, 'language'>,
): string {
  const text = textsIn(language);
  const ends = endsOf(wallet);
  const said =
    kind === 'withdrawal_ordered' && units === null
      ? text('withdrawal_ordered_everything', ends)
      : text(kind, { ...ends, amount: usdt(exactText(units ?? 0n)) });
  return [text('greeting_nameless'), '', said, text('not_you')].join('\n');
}

/** Asks a trader for new keys. It contains no text typed by a person. */
export function renderKeyNotice(
  kind: KeyMessageKind,
  { exchanges, endsAt }: KeyFacts,
  { language }: Pick<Addressee, 'language'>,
): string {
  const text = textsIn(language);
  const named = exchanges.map((exchange) => leftToRight(EXCHANGE_NAMES[exchange])).join(', ');
  const facts = { exchanges: named, ...(endsAt && { end: dateIn(language, endsAt) }) };
  return [text('greeting_nameless'), '', text(kind, facts), text('key_replace')].join('\n');
}

/** The facts about a withdrawal that is not paid. Base units. */
export interface WithdrawalFacts {
  /** Null: everything. */
  units: bigint | null;
  /** What could have been withdrawn, of one that was refused. */
  availableUnits: bigint;
}

/** Asks a member of a pool for the address that a withdrawal waits for, or says why one was refused. */
export function renderWithdrawalNotice(
  kind: WithdrawalMessageKind,
  { units, availableUnits }: WithdrawalFacts,
  { language }: Pick<Addressee, 'language'>,
): string {
  const text = textsIn(language);
  const facts = { amount: usdt(exactText(units ?? 0n)), available: usdt(exactText(availableUnits)) };
  const isEverything = kind === 'withdrawal_refused' && (units === null || availableUnits === 0n);
  const said = isEverything ? text('withdrawal_refused_nothing') : text(kind, { ...facts, network: NETWORK });
  return [text('greeting_nameless'), '', said, text('not_you')].join('\n');
}

/** A change of a wallet that its owner is asked about. */
export interface WalletChange {
  /** `payout_address_change.id` */
  changeId: string;
  wallet: string;
  /** When its waiting time ends. */
  payableFrom: Date;
}

/**
 * Asks the owner of a changed wallet whether it is theirs, with the whole address: its ends alone are quickly forged.
 * The data of the buttons are what `core/transfers/addresses/owner-words.ts` reads.
 */
export function renderWalletQuestion(
  { changeId, wallet, payableFrom }: WalletChange,
  { language }: Pick<Addressee, 'language'>,
): { text: string; keyboard: Keyboard } {
  const text = textsIn(language);
  return {
    text: [
      text('greeting_nameless'),
      '',
      text('wallet_question'),
      leftToRight(copyable(wallet)),
      '',
      text('wallet_question_from', { from: dateIn(language, payableFrom) }),
      text('not_you'),
    ].join('\n'),
    keyboard: [
      (['confirmed', 'not_me'] as const).map((kind) => ({
        text: text(`button_wallet_${kind}`),
        data: `wallet:${kind}:${changeId}`,
      })),
    ],
  };
}

/** Renders what became of the owner's answer, with the ends of the wallet that it was about. */
export function renderWalletAnswer(
  kind: WalletAnswerKind,
  { wallet, payableFrom }: Pick<WalletChange, 'wallet' | 'payableFrom'>,
  { language }: Pick<Addressee, 'language'>,
): string {
  const text = textsIn(language);
  const facts = { ...endsOf(wallet), from: dateIn(language, payableFrom) };
  return [text(kind, facts), ...(kind === 'wallet_confirmed' ? [] : [text('not_you')])].join('\n');
}

const endsOf = (wallet: string) => ({
  begin: leftToRight(wallet.slice(0, 6)),
  end: leftToRight(wallet.slice(-4)),
});

/** Renders a message in the HTML of the Bot API. */
export function renderNotice(
  kind: InvoiceMessageKind,
  facts: NoticeFacts,
  { language, name }: Addressee,
): string {
  const text = textsIn(language);
  const { amountUnits, outstandingUnits, offPlatformUnits, invoiceCount, dueAt, paymentAddress } = facts;
  const { creditUnits = 0n, deductedUnits = 0n } = facts;
  const outstanding = usdt(payableText(outstandingUnits));
  const shownName = nameInText(name);
  const lines = [shownName ? text('greeting', { name: shownName }) : text('greeting_nameless'), ''];
  lines.push(text(kind, { count: invoiceCount, amount: usdt(payableText(amountUnits)) }));
  if (deductedUnits > 0n) lines.push(text('deducted', { deducted: usdt(exactText(deductedUnits)) }));
  const elsewhere = text('off_platform', { settled: usdt(exactText(offPlatformUnits)) });
  if (kind === 'invoice_paid') {
    const onChain = text('paid_on_chain', { paid: usdt(payableText(amountUnits - offPlatformUnits)) });
    if (offPlatformUnits > 0n) lines.push(...(amountUnits > offPlatformUnits ? [onChain] : []), elsewhere);
    if (creditUnits > 0n) lines.push(text('credit', { credit: usdt(exactText(creditUnits)) }));
    return lines.join('\n');
  }
  if (kind === 'invoice_recalled')
    return [...lines, text('recalled_due_later'), text('recalled_payment')].join('\n');

  const isOfSeveral = kind === 'unpaid_invoices';
  const paidUnits = amountUnits - outstandingUnits;
  if (isOfSeveral) lines.push(text('total_due', { outstanding }));
  else if (paidUnits > 0n) {
    // Both are in millionths, and add up to the amount above.
    const paid = usdt(exactText(askedUnits(amountUnits) - askedUnits(outstandingUnits)));
    lines.push(text('partly_paid', { paid, outstanding }));
    if (offPlatformUnits > 0n) lines.push(elsewhere);
  }
  if (dueAt) lines.push(text(isOfSeveral ? 'earliest_due' : 'due', { due: dateIn(language, dueAt) }));
  if (paymentAddress)
    lines.push(
      '',
      text('pay_to', { outstanding: usdt(payableText(outstandingUnits)), network: NETWORK }),
      leftToRight(copyable(paymentAddress)),
      '',
      text('only_so'),
    );
  return lines.join('\n');
}

function usdt(amount: string): string {
  return leftToRight(`${copyable(amount)} USDT`);
}
