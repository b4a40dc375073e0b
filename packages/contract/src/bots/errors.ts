/** Refusals that only calls of this feature return. */
export const botErrors = {
  bot_exists: { status: 409, message: 'This community already has a bot' },
  bot_taken: { status: 409, message: 'This bot belongs to another community' },
  bot_refused: { status: 422, message: 'Telegram does not accept this token' },
  telegram_unavailable: { status: 503, message: 'Telegram cannot be reached. Please try again.' },
  bot_switched_off: { status: 409, message: 'The bot is switched off' },
  plan_not_offered: { status: 409, message: 'This plan is not offered' },
  coupon_unknown: { status: 404, message: 'No coupon has this code' },
  coupon_refused: { status: 409, message: 'This coupon cannot be used for this order' },
  coupon_applied: { status: 409, message: 'This order has a coupon already' },
  open_sale_above_limit: {
    status: 409,
    message:
      'The open order of this buyer is above what one person may write off within 24 hours. Cancel it first, which another super admin approves',
  },
  sale_settled: { status: 409, message: 'This order is no longer open' },
  sale_part_paid: { status: 409, message: 'A part of this order was paid' },
  plan_name_taken: { status: 409, message: 'Another plan has this name' },
  coupon_code_taken: { status: 409, message: 'Another coupon has this code' },
  question_taken: { status: 409, message: 'This question exists already' },
  too_many_offers: { status: 409, message: 'A bot can have at most 100 of these. Delete some first.' },
  subscription_required: {
    status: 409,
    message: 'The subscription of this community does not include this at present. Subscribe first.',
  },
} as const;
