import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { z } from 'zod';
import { BOTH, type Variables, WORKER } from '../variable.ts';

/** Paying out. */
export const PAYOUTS_VARIABLES = {
  APPROVAL_ABOVE_USDT: {
    schema: z
      .string()
      .regex(/^(\d{1,15}(\.\d{1,18})?)?$/)
      .optional(),
    readers: BOTH,
    meaning:
      "USDT that a community, or a person, may order within 24 hours; the order that crosses it needs another super admin's approval. A bound: the console can only lower it. Needed with `WALLET_SEED`",
  },
  APPROVER_MIN_HOURS: {
    schema: z.coerce.number().int().min(0).max(168).default(SETTING_DEFAULTS.approver_min_hours),
    readers: BOTH,
    meaning: 'Hours that a person must have been a super admin before approving a distribution, at most 168',
  },
  PAYOUT_MAX_PER_TRANSACTION: {
    schema: z.coerce.number().int().min(1).optional(),
    readers: BOTH,
    meaning:
      'Largest payout in USDT, a whole number; a larger one takes two further super admins. A bound: the console can only lower it. Needed with `WALLET_SEED`',
  },
  PAYOUT_MAX_PER_DAY: {
    schema: z.coerce.number().int().min(1).optional(),
    readers: BOTH,
    meaning:
      'Largest sum of all payouts of 24 hours in USDT, a whole number; payouts above it wait. A bound: the console can only lower it. Needed with `WALLET_SEED`',
  },
  POOL_TOKEN_MAX_PER_MEMBER_DAY: {
    schema: z.coerce.number().int().min(0).default(0),
    readers: WORKER,
    meaning:
      'USDT, a whole number, that a member may withdraw from its pool within 24 hours because a program asked, without an operator, to an address that has not changed for seven days',
  },
  POOL_TOKEN_MAX_PER_POOL_DAY: {
    schema: z.coerce.number().int().min(0).default(0),
    readers: WORKER,
    meaning: 'The same for all members of a pool together',
  },
  PAYOUT_HARD_MAX: {
    schema: z.coerce.number().int().min(1).optional(),
    readers: WORKER,
    meaning:
      'Largest single transfer of tokens in USDT that a worker signs, a whole number, `PAYOUT_MAX_PER_TRANSACTION` or more. It holds for transfers between own wallets and of pools as well. Unset: none besides the limits above',
  },
  PAYOUT_ADDRESS_HOLD_HOURS: {
    schema: z.coerce.number().int().min(0).max(8_760).default(SETTING_DEFAULTS.payout_address_hold_hours),
    readers: BOTH,
    meaning: 'Hours before payouts go to a changed address, besides its release by another person',
  },
} satisfies Variables;
