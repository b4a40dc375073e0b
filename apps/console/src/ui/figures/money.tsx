import { clsx } from 'clsx';
import type { ClipboardEvent } from 'react';
import { flooredUsd, splitDecimals } from '../../lib/format/figures.ts';
import { formatUsd, formatWholeUsd } from '../../lib/format/numbers.ts';
import {
  askedUsdt,
  exactUsdt,
  formatCents,
  formatUsdt,
  formatWholeUsdt,
  usdt,
} from '../../lib/format/usdt.ts';

const FORMS = {
  /** `1,234.56 USDT`: what is owed and paid. */
  usdt,
  /** `1,234.56`, where the header or the line has the unit. */
  bare: formatUsdt,
  /** `1,234.567891 USDT`, where people decide by it. */
  exact: exactUsdt,
  /** `1,234.50 USDT` without the other decimals, never rounded up. */
  cents: (amount: string) => `${formatCents(amount)} USDT`,
  /** `1,234 USDT`: a limit, which is a whole number. */
  limit: (amount: string) => `${formatWholeUsdt(amount)} USDT`,
  /** `1,234.50`, where the unit is set apart. */
  bareCents: formatCents,
  /** `$1,234.56`: what is asked for in dollars. */
  usd: formatUsd,
  /** `$1,234`: the same in a list. */
  whole: formatWholeUsd,
  /** `$1,234`: the value of what is held. */
  equity: formatWholeUsd,
  /** `$1,234.56`: the same, where days are compared. */
  equityCents: formatUsd,
  /** `$1,234`, never rounded up: balances of books. */
  floored: flooredUsd,
} as const satisfies Record<string, (amount: string) => string>;
/** Equity is counted in dollars, and nothing of it is on the chain. */
const isEquity = (form: keyof typeof FORMS) => form === 'equity' || form === 'equityCents';

interface MoneyProps {
  /** A decimal string; equity may be a number, as the wire has it. Null: not known. */
  amount: string | number | null | undefined;
  as?: keyof typeof FORMS;
  /** What a person is asked for: the tooltip rounds up, as messages do. */
  isAsked?: boolean;
  /** A profit or a loss: with its sign, in the colour of its sign. */
  isSigned?: boolean;
  /** What the pointer shows instead of the whole amount. */
  title?: string;
  className?: string | undefined;
}

/** An amount of money. Whole in the tooltip, and when it is copied. */
export function Money({ amount: given, as = 'usdt', isAsked, isSigned, title, className }: MoneyProps) {
  if (given === null || given === undefined) return 'N/A';
  const amount = String(given);
  const whole = isEquity(as) ? formatUsd(amount) : isAsked ? askedUsdt(amount) : exactUsdt(amount);
  const isLoss = isSigned && amount.startsWith('-');
  const isGain = isSigned && !isLoss && /[1-9]/.test(amount);
  return (
    <span
      title={title ?? whole}
      className={clsx(
        'wrap-normal tabular-nums',
        isLoss && 'text-negative',
        isGain && 'text-positive',
        className,
      )}
      onCopy={(event) => copyWhole(event, whole)}
    >
      {isGain && '+'}
      {FORMS[as](amount)}
    </span>
  );
}

/**
 * Copies all decimals of a selected amount. A selected part of it, and cells around it, are copied as they
 * are.
 */
function copyWhole(event: ClipboardEvent<HTMLElement>, whole: string) {
  const selected = document.getSelection()?.toString().trim();
  if (selected !== event.currentTarget.textContent) return;
  event.clipboardData.setData('text/plain', whole.replace(/ USDT$/, ''));
  event.preventDefault();
}

/** The largest number of decimals that any of these amounts shows, 2 to 6: the space that all of them reserve. */
export function mostDecimals(amounts: readonly string[]): number {
  const decimals = amounts.map((amount) => splitDecimals(formatUsdt(amount))[2].length);
  return Math.max(2, ...decimals);
}

interface AlignedMoneyProps {
  amount: string;
  /** Decimals of the rows together, from `mostDecimals`. */
  places?: number;
  /** At the foot of the others: in bold, in the space that their thinner figures have. */
  isTotal?: boolean;
}

/** USDT with up to 6 decimals, aligned at the point with other rows: the decimals have a fixed width. */
export function AlignedMoney({ amount, places = 6, isTotal = false }: AlignedMoneyProps) {
  const [whole, sign, decimals] = splitDecimals(formatUsdt(amount));
  const weight = isTotal ? 'font-semibold' : undefined;
  return (
    <span
      className={clsx('inline-flex whitespace-nowrap tabular-nums', isTotal && 'font-normal')}
      title={exactUsdt(amount)}
      onCopy={(event) => copyWhole(event, exactUsdt(amount))}
    >
      <span className={weight}>{whole}</span>
      <span className="text-start" style={{ width: `${places + 0.5}ch` }}>
        <span className={weight}>
          {sign}
          {decimals}
        </span>
      </span>
    </span>
  );
}
