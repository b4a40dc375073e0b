import { MOST_RETRIED, MOST_RUN_PAYOUTS } from '@copydesk/domain/payouts';

/** Refusals that only calls of this feature return. */
export const payoutErrors = {
  nothing_pending: { status: 409, message: 'Nothing is pending for distribution' },
  approved_already: {
    status: 403,
    message: 'You have approved this already. Another super admin must approve it as well.',
  },
  recipients_changed: {
    status: 409,
    message: 'Pending shares have changed. Please review them again.',
  },
  payout_not_safe: {
    status: 409,
    message: 'The outcome of this payout on chain is not certain yet. Nothing was changed.',
  },
  payouts_changed: {
    status: 409,
    message: 'These payouts have changed meanwhile. Please review them again.',
  },
  too_many_payouts: {
    status: 422,
    message: `More than ${MOST_RETRIED} payouts cannot be paid again at once. Please narrow the filters.`,
  },
  deposits_missing: {
    status: 409,
    message: 'Deposit addresses hold less than this distribution needs',
  },
  own_release: { status: 403, message: 'Another super admin must release an address that you changed' },
  ordered_together: {
    status: 409,
    message: 'It was ordered together with other communities. Approve or decline the payout run as a whole.',
  },
  run_too_large: {
    status: 422,
    message: `More than ${MOST_RUN_PAYOUTS} payouts cannot be ordered as one. Please select fewer communities.`,
  },
  distribution_decided: { status: 409, message: 'This distribution has already been decided' },
} as const;
