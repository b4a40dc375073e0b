import type { Call, CallInput } from '@copydesk/contract';
import type { Exchange } from '@copydesk/domain/catalogue';

/** The same kind of thing three ways: in the scope of one provider's staff, outside of it, and nowhere. */
export const TARGETS = ['own', 'foreign', 'missing'] as const;
export type Target = (typeof TARGETS)[number];

export const CALLERS = [
  'anonymous',
  'super',
  // The same, having proven themselves too long ago.
  'stale',
  'stale-staff',
  'staff',
  'staff-multi',
  'no-access',
  'not-admin',
  'service',
] as const;
export type Caller = (typeof CALLERS)[number];

/** What the cases aim at, for each target. */
export interface Aim {
  traderId: string;
  communityId: string;
  providerId: string;
  referralCode: string;
  userId: string;
  serviceTokenId: string;
  invoiceId: string;
  messageId: string;
  payoutId: string;
  savedViewId: string;
  runId: string;
  distributionId: string;
  walletId: string;
  poolId: string;
  /** An exchange account of the trader, and an exchange that the provider supports. */
  account: { exchange: Exchange; accUid: string; supported: Exchange };
}

export interface Case<K extends Call> {
  input: (aim: Aim) => CallInput<K>;
  /** Whether the target is named by the call; if not, there is nothing foreign to ask for. */
  isAimed?: boolean;
  /** Statuses that mean "allowed", where the harmless call of this case is refused for what it says. */
  allowed?: readonly number[];
  /** What a caller gets that the general rule does not foresee. */
  expects?: (caller: Caller, target: Target) => number | undefined;
}

export const NOTHING = { input: () => ({}) };

/** A harmless call of every entry. */
export type Cases = { [K in Call]: Case<K> };
