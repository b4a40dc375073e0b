import type { BotTextKey } from '@copydesk/domain';
import type { BotText } from '../bot-queries.ts';

interface TextGroup {
  label: string;
  /** By key: when the bot says it. */
  texts: Partial<Record<BotTextKey, string>>;
}

/** Every text of a bot, in the order in which people meet them. */
export const TEXT_GROUPS: readonly TextGroup[] = [
  {
    label: 'Start',
    texts: {
      welcome: 'Welcome',
      menu: 'Menu, and the answer to anything unknown',
      choose_language: 'Choice of language',
      language_chosen: 'Language chosen',
      wait: 'Too many messages at once',
      failed: 'Failure on our side',
    },
  },
  {
    label: 'Plans and orders',
    texts: {
      prices: 'List of plans',
      no_plans: 'No plan is offered',
      plan: 'One plan',
      not_sold: 'Plan cannot be ordered',
      invoice: 'Order, with address and QR code',
      order_part_paid: 'Order is paid in part',
      order_cancelled: 'Order cancelled by its buyer',
      order_over: 'Order is no longer open',
    },
  },
  {
    label: 'Coupons',
    texts: {
      ask_coupon: 'Question for the code',
      coupon_used: 'Coupon applied',
      coupon_unknown: 'Unknown code',
      coupon_not_started: 'Not valid yet',
      coupon_ended: 'No longer valid',
      coupon_used_up: 'Used up',
      coupon_used_by_this_user: 'Used by this person before',
      coupon_other_plan: 'For other plans',
      coupon_nothing_left_to_pay: 'Worth the whole price or more',
      coupon_no_effect: 'Takes nothing off the price',
      coupon_applied: 'Order has a coupon already',
    },
  },
  {
    label: 'Access',
    texts: {
      access: 'Present access',
      no_access: 'No access',
      paid: 'Payment received',
      ending: 'Three days before the end',
      order_expired: 'Order not paid in time',
    },
  },
  {
    label: 'Questions',
    texts: {
      questions: 'List of questions',
      no_questions: 'No questions in this language',
      answer: 'One answer',
    },
  },
  {
    label: 'Buttons',
    texts: {
      button_prices: 'Prices',
      button_access: 'My access',
      button_questions: 'Questions',
      button_language: 'Language',
      button_order: 'Order a plan',
      button_coupon: 'Enter a coupon',
      button_cancel: 'Cancel an order',
      button_invoice: 'Back to the order',
      button_menu: 'Back to the menu',
    },
  },
];

/** What a preview shows in place of values. */
export const SAMPLE_VALUES = {
  bot: 'Demo Bot',
  plan: 'One month',
  days: '30',
  amount: '49.00 USDT',
  network: 'BNB Smart Chain (BEP-20)',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  until: 'March 2, 2026 at 10:00 UTC',
  code: 'WELCOME10',
  question: 'How do I pay?',
  answer: 'Choose a plan. You get an address to pay to.',
} as const;

/** What a text may and must contain. */
export function valuesWords({ placeholders, required }: Pick<BotText, 'placeholders' | 'required'>): string {
  if (placeholders.length === 0) return 'Without values.';
  const named = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');
  const must = required.length > 0 ? ` Required: ${named(required)}.` : '';
  return `Values: ${named(placeholders)}.${must}`;
}
