/** Refusals that only calls of this feature return. */
export const traderErrors = {
  reference_number_taken: { status: 409, message: 'This reference number belongs to another trader' },
  telegram_id_taken: {
    status: 409,
    message: 'This Telegram ID belongs to another trader of the community',
  },
  trader_has_records: {
    status: 409,
    message: 'A trader with exchange accounts, positions or invoices cannot be deleted',
  },
  trader_has_credit: {
    status: 409,
    message: 'This trader has credit. Send it back or make it a tip first.',
  },
  trader_has_referrals: {
    status: 409,
    message: 'This trader earns from invoices of traders it has referred, and cannot be deleted',
  },
  trader_already_referred: { status: 409, message: 'This trader already has a referrer' },
  referral_refused: {
    status: 409,
    message: 'A trader cannot be its own referrer, directly or through others',
  },
} as const;
