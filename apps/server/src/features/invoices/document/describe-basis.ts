import type { CallAnswer } from '@copydesk/contract';
import type { Language } from '@copydesk/domain/catalogue';
import { decimalToUnits, shownPercentage } from '@copydesk/domain/money';
import { leftToRight } from '../../../core/outbox/texts/markup.ts';
import type { Line } from './invoice-paper.ts';
import { counted, fill, INVOICE_TEXTS } from './invoice-texts.ts';
import { decimalText, usdtText } from './paper-text.ts';

type Detail = Pick<
  CallAnswer<'GET /api/invoices/{id}'>['data'],
  'amount' | 'basis' | 'commission_rate' | 'deductions'
>;
type Basis<K> = Extract<Detail['basis'], { kind: K }>;

interface Explained {
  /** In one sentence. */
  rule: string;
  /** The figures, which add up to the amount. */
  lines: Line[];
}

/** What the amount of an invoice is made from. */
export function describeBasis(detail: Detail, language: Language): Explained {
  const { basis } = detail;
  const words = INVOICE_TEXTS[language];
  const { rule, lines } =
    basis.kind === 'positions'
      ? ofPositions(detail, basis, language)
      : basis.kind === 'cycle'
        ? ofCycle(detail, basis, language)
        : ofOrder(basis, language);
  return {
    rule,
    lines: [
      ...lines,
      ...(isZero(basis.unexplained) ? [] : [{ label: words.other, value: usdtText(basis.unexplained) }]),
      { label: words.amount, value: usdtText(detail.amount), is_strong: true },
    ],
  };
}

const isZero = (amount: string) => decimalToUnits(amount) === 0n;
const rateText = (rate: string) => leftToRight(`${shownPercentage(rate)}\u00a0%`);
const usdText = (amount: string) => leftToRight(`${decimalText(amount)} USD`);

function ofPositions({ commission_rate }: Detail, basis: Basis<'positions'>, language: Language): Explained {
  const words = INVOICE_TEXTS[language];
  return {
    rule: fill(words.rule_positions, {
      rate: rateText(commission_rate),
      profit: usdText(basis.profit),
      positions: counted(language, words.counted_positions, basis.positions),
    }),
    lines: [
      { label: words.profit, value: usdText(basis.profit) },
      { label: words.commission, value: usdtText(basis.commission) },
      ...(isZero(basis.deducted) ? [] : [{ label: words.deducted, value: usdtText(`-${basis.deducted}`) }]),
    ],
  };
}

function ofCycle({ commission_rate }: Detail, basis: Basis<'cycle'>, language: Language): Explained {
  const words = INVOICE_TEXTS[language];
  const isOfWinners = basis.fee_basis === 'gross_winners';
  const carried = [
    { label: words.carried_before, value: usdtText(basis.carried_before) },
    { label: words.carried_after, value: usdtText(basis.carried_after) },
  ];
  return {
    rule: fill(words.rule_cycle[basis.fee_basis], {
      rate: rateText(commission_rate),
      profit: leftToRight(usdtText(isOfWinners ? basis.winners : basis.result)),
      cycle: String(basis.cycle_number),
    }),
    lines: [
      { label: words.result, value: usdtText(basis.result) },
      ...(isOfWinners ? [{ label: words.winners, value: usdtText(basis.winners) }] : carried),
      { label: words.charged_profit, value: usdtText(basis.charged_profit) },
    ],
  };
}

function ofOrder(basis: Basis<'order'>, language: Language): Explained {
  const words = INVOICE_TEXTS[language];
  return {
    rule: fill(words.rule_order, { days: counted(language, words.counted_days, basis.days) }),
    lines: [
      { label: words.price, value: usdtText(basis.price) },
      ...(isZero(basis.discount) ? [] : [{ label: words.discount, value: usdtText(`-${basis.discount}`) }]),
    ],
  };
}
