import type { SubscriptionState } from '../billing/subscription.ts';
import type { SetupState } from './checklist.ts';

/** What a new community needs, in the order in which it is set up. */
export const COMMUNITY_STEPS = [
  'provider',
  'split',
  'payout_addresses',
  'wallet',
  'bot',
  'subscription',
  'trader',
] as const;
export type CommunityStep = (typeof COMMUNITY_STEPS)[number];

export interface CheckedCommunityStep {
  step: CommunityStep;
  state: SetupState;
  /** A sentence: what was found, or what to do next. */
  text: string;
}

/** What was found of a community, before it is judged. */
export interface CommunityFacts {
  /** Display names of active providers that its traders may choose. */
  providers: readonly string[];
  /** Of those: whose share, with that of the community and its referrer, is more than an invoice. */
  exceeding: readonly string[];
  /** Recipients of shares without an address to pay them to. */
  withoutAddress: readonly string[];
  /** Recipients whose address waits for a release or for its time. */
  held: readonly string[];
  hasWallet: boolean;
  /** Null: it has none. `problem`: why Telegram refuses it. */
  bot: { isActive: boolean; problem: string | null } | null;
  /** Null: this server sells no subscriptions. */
  subscription: SubscriptionState | null;
  hasTrader: boolean;
}

type Verdict = readonly [state: SetupState, text: string];

const CHECKS: { readonly [Step in CommunityStep]: (facts: CommunityFacts) => Verdict } = {
  provider: ({ providers }) =>
    providers.length > 0
      ? ['done', `Traders can choose ${namesOf(providers)}.`]
      : ['missing', 'Link an active provider: traders choose one when they join.'],
  split: ({ providers, exceeding }) => {
    if (providers.length === 0) return ['missing', 'The shares are checked once a provider is linked.'];
    return exceeding.length === 0
      ? ['done', 'The shares of every invoice add up to 100%: the platform has what is left.']
      : [
          'wrong',
          `More than 100% of an invoice is shared beside ${namesOf(exceeding)}. Lower the split percentage.`,
        ];
  },
  payout_addresses: ({ withoutAddress, held }) => {
    if (withoutAddress.length > 0)
      return ['missing', `Set an address for ${namesOf(withoutAddress)}: until then the shares wait.`];
    return held.length === 0
      ? ['done', 'Every recipient has an address that is paid to.']
      : [
          'wrong',
          `The address of ${namesOf(held)} is not paid to yet: another super admin releases it, and its waiting time passes.`,
        ];
  },
  wallet: ({ hasWallet }) =>
    hasWallet
      ? ['done', 'The community has its wallet.']
      : ['missing', 'A worker with the seed creates the wallet within a minute.'],
  bot: ({ bot }) => {
    if (bot === null) return ['missing', 'Connect the Telegram bot that sells access to this community.'];
    if (bot.problem !== null) return ['wrong', 'Telegram does not accept the bot.'];
    return bot.isActive
      ? ['done', 'The bot answers.']
      : ['wrong', 'The bot is switched off: it answers no one.'];
  },
  subscription: ({ subscription }) => {
    if (subscription === null) return ['done', 'This server sells no subscriptions: none is needed.'];
    if (subscription === 'active' || subscription === 'trialing')
      return ['done', 'The subscription is active.'];
    if (subscription === 'none') return ['missing', 'Subscribe the community.'];
    return [
      'wrong',
      subscription === 'past_due'
        ? 'The last payment failed.'
        : 'The subscription has ended: subscribe again.',
    ];
  },
  trader: ({ hasTrader }) =>
    hasTrader ? ['done', 'The first trader has joined.'] : ['missing', 'No trader has joined yet.'],
};

/** Each step of a community's set-up, in order, with what to do about it. */
export function checkCommunity(facts: CommunityFacts): CheckedCommunityStep[] {
  return COMMUNITY_STEPS.map((step) => {
    const [state, text] = CHECKS[step](facts);
    return { step, state, text };
  });
}

/** Many communities want no bot: its absence alone is nothing to do. */
export const isOptional = ({ step, state }: Pick<CheckedCommunityStep, 'step' | 'state'>): boolean =>
  step === 'bot' && state === 'missing';

/** `Aurora, Meridian and Zenith`. */
const namesOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
