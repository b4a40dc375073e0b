/** Who added a trader: staff in the console, a program with a service token, or the bot of its community. */
export const TRADER_SOURCES = ['staff', 'program', 'bot'] as const;
export type TraderSource = (typeof TRADER_SOURCES)[number];

const SOURCES = { user: 'staff', service: 'program', system: 'bot' } as const;

/** Who adds a trader. Among the parts of the system only the bots of communities do. */
export const traderSourceOf = ({ kind }: { kind: keyof typeof SOURCES }): TraderSource => SOURCES[kind];

/** How a trader came: by another trader's referral code, whoever added it; else who added it; `unknown` without a record. */
export const SIGNUP_SOURCES = ['referral', 'bot', 'program', 'staff', 'unknown'] as const;
export type SignupSource = (typeof SIGNUP_SOURCES)[number];

/** Excludes letters and digits that people confuse. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/**
 * A code that traders pass on by word of mouth. There are 31^8 of them, so a clash is one in a billion at a million.
 * @param pick a number below the given one, at random
 */
export function createReferralCode(pick: (below: number) => number): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[pick(ALPHABET.length)]).join('');
}
