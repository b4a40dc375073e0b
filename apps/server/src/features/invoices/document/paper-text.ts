import { decimalToUnits } from '@copydesk/domain/money';
import { exactText } from '../../../core/outbox/texts/amount-text.ts';
import { leftToRight } from '../../../core/outbox/texts/markup.ts';

/** Longer than any word of our languages in a name. */
const LONG_WORD = 24;
const BETWEEN = 12;
const LETTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A decimal string, also below zero, as messages write amounts. */
export function decimalText(amount: string): string {
  const isBelowZero = amount.startsWith('-');
  const units = decimalToUnits(isBelowZero ? amount.slice(1) : amount);
  // More decimals than a token has: as it is.
  return units === null ? amount : `${isBelowZero ? '-' : ''}${exactText(units)}`;
}

/** An amount of USDT, which also within Arabic is read from the left. */
export const usdtText = (amount: string): string => leftToRight(`${decimalText(amount)} USDT`);

/** Text whose endless words may go on in the next line: they would leave the paper. */
export const breakable = (text: string): string =>
  text.replace(/\S{24,}/gu, (word) => {
    const letters = [...LETTERS.segment(word)].map(({ segment }) => segment);
    return letters.length < LONG_WORD
      ? word
      : letters.map((letter, at) => (at > 0 && at % BETWEEN === 0 ? `\u200b${letter}` : letter)).join('');
  });
