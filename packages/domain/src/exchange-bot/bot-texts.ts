/** What a bot says, as a template: `{name}` is replaced by a value. */
export interface BotTextRule {
  /** A label of a button is one short line. */
  kind: 'message' | 'button';
  /** The values that a text may contain. */
  placeholders: readonly string[];
  /** Those that it must contain: without them people could not pay. */
  required: readonly string[];
}

const message = (placeholders: readonly string[] = [], required: readonly string[] = []): BotTextRule => ({
  kind: 'message',
  placeholders,
  required,
});
const button: BotTextRule = { kind: 'button', placeholders: [], required: [] };

/** Every text of a bot, by its key. */
export const BOT_TEXTS = {
  welcome: message(['bot']),
  menu: message(),
  prices: message(),
  no_plans: message(),
  plan: message(['plan', 'days', 'amount'], ['plan', 'amount']),
  invoice: message(['plan', 'amount', 'network', 'address', 'until'], ['amount', 'network', 'address']),
  order_cancelled: message(),
  order_over: message(),
  order_part_paid: message(),
  not_sold: message(),
  ask_coupon: message(),
  coupon_used: message(['code', 'amount']),
  coupon_unknown: message(),
  coupon_not_started: message(),
  coupon_ended: message(),
  coupon_used_up: message(),
  coupon_used_by_this_user: message(),
  coupon_other_plan: message(),
  coupon_nothing_left_to_pay: message(),
  coupon_no_effect: message(),
  coupon_applied: message(),
  access: message(['plan', 'until'], ['until']),
  no_access: message(),
  paid: message(['plan', 'until']),
  ending: message(['plan', 'until'], ['until']),
  order_expired: message(['plan']),
  order_credited: message(['plan', 'amount'], ['amount']),
  payment_on_its_way: message(),
  questions: message(),
  no_questions: message(),
  answer: message(['question', 'answer'], ['answer']),
  choose_language: message(),
  language_chosen: message(),
  wait: message(),
  failed: message(),
  button_prices: button,
  button_access: button,
  button_questions: button,
  button_language: button,
  button_order: button,
  button_coupon: button,
  button_cancel: button,
  button_invoice: button,
  button_menu: button,
} as const satisfies Record<string, BotTextRule>;

export type BotTextKey = keyof typeof BOT_TEXTS;
export const BOT_TEXT_KEYS = Object.keys(BOT_TEXTS) as [BotTextKey, ...BotTextKey[]];

/** A picture's text has at most 1,024 characters at Telegram, values included. */
const LONGEST_MESSAGE = 600;
const LONGEST_BUTTON = 40;
const PLACEHOLDER = /\{([a-z_]+)\}/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, and no text needs the others
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f]/;

export type BotTextProblem =
  | { code: 'empty' | 'control_characters' | 'several_lines' }
  | { code: 'too_long'; most: number }
  | { code: 'unknown_placeholder' | 'missing_placeholder'; name: string };

/** What is wrong with a text for a key; null: nothing. */
export function findTextProblem(key: BotTextKey, text: string): BotTextProblem | null {
  const { kind, placeholders, required }: BotTextRule = BOT_TEXTS[key];
  const most = kind === 'button' ? LONGEST_BUTTON : LONGEST_MESSAGE;
  if (text.trim() === '') return { code: 'empty' };
  if (text.length > most) return { code: 'too_long', most };
  if (CONTROLS.test(text)) return { code: 'control_characters' };
  if (kind === 'button' && text.includes('\n')) return { code: 'several_lines' };
  const used = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name as string);
  const unknown = used.find((name) => !placeholders.includes(name));
  if (unknown !== undefined) return { code: 'unknown_placeholder', name: unknown };
  const missing = required.find((name) => !used.includes(name));
  return missing === undefined ? null : { code: 'missing_placeholder', name: missing };
}

/** Puts values into a template. A name without a value stays as it is. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(PLACEHOLDER, (whole, name: string) => values[name] ?? whole);
