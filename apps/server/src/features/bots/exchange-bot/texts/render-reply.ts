import type { Language } from '@copydesk/domain/catalogue';
import { type BotButton, type BotReply, type BotValues, fillTemplate } from '@copydesk/domain/exchange-bot';
import { findTextTrap } from '@copydesk/domain/text';
import { exactText, payableText } from '../../../../core/outbox/texts/amount-text.ts';
import { dateIn } from '../../../../core/outbox/texts/date-text.ts';
import { copyable, escapeHtml, leftToRight, ownDirection } from '../../../../core/outbox/texts/markup.ts';
import { DEFAULT_BOT_TEXTS } from './defaults/defaults.ts';

/** A reply as Telegram takes it. */
export interface RenderedReply {
  /** HTML of the Bot API. */
  text: string;
  keyboard: { text: string; data: string }[][];
  qrText: string | null;
}

/**
 * Texts of people that were stored before traps were refused, and names that others chose for a bot, plan or
 * question.
 */
const ofPeople = (text: string) => (findTextTrap(text) === null ? text : '…');

/** Below a picture; the markup counts here although Telegram does not count it. */
const CAPTION_LENGTH = 1_024;
const LABEL_LENGTH = 60;

/** Renders a reply in the person's language. Everything but the markup of values is escaped. */
export function renderReply(reply: BotReply, language: Language): RenderedReply {
  const text = fillTemplate(
    escapeHtml(DEFAULT_BOT_TEXTS[language][reply.text]),
    valuesInText(reply.values, language),
  );
  return {
    text,
    keyboard: reply.buttons.map((row) =>
      row.map((one) => ({ text: labelOf(one, language), data: one.data })),
    ),
    qrText: text.length <= CAPTION_LENGTH ? reply.qrText : null,
  };
}

function labelOf({ label }: BotButton, language: Language): string {
  if (typeof label === 'string') return DEFAULT_BOT_TEXTS[language][label];
  const text =
    'plan' in label
      ? `${ofPeople(label.plan.name)} · ${exactText(label.plan.amountUnits)} USDT`
      : ofPeople(label.text);
  return text.length <= LABEL_LENGTH ? text : `${[...text].slice(0, LABEL_LENGTH - 1).join('')}…`;
}

function valuesInText(values: BotValues, language: Language): Record<string, string> {
  const shown = ([name, value]: [string, BotValues[string]]) => {
    if (typeof value === 'bigint') return leftToRight(`${copyable(payableText(value))} USDT`);
    if (value instanceof Date) return dateIn(language, value);
    if (typeof value === 'number') return String(value);
    if (name === 'address') return leftToRight(copyable(value));
    if (name === 'network') return leftToRight(escapeHtml(value));
    // An answer has lines, and each finds its own direction.
    const text = escapeHtml(ofPeople(value));
    return name === 'answer' ? text : ownDirection(text);
  };
  return Object.fromEntries(Object.entries(values).map((entry) => [entry[0], shown(entry)]));
}
