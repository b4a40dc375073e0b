/** Who added a trader: staff in the console, a program with a service token, or the bot of its community. */
export const TRADER_SOURCES = ['staff', 'program', 'bot'] as const;
export type TraderSource = (typeof TRADER_SOURCES)[number];

/** How a trader came: by another trader's referral code, whoever added it; else who added it; `unknown` without a record. */
export const SIGNUP_SOURCES = ['referral', 'bot', 'program', 'staff', 'unknown'] as const;
export type SignupSource = (typeof SIGNUP_SOURCES)[number];
