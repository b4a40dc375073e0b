import { CREDENTIALS_REQUIRED } from '@copydesk/domain/trading';

/** Refusals that only calls of this feature return. */
export const exchangeErrors = {
  keys_work: { status: 409, message: 'No account of this trader needs a new key' },
  exchange_credentials_required: { status: 400, message: CREDENTIALS_REQUIRED },
  key_may_withdraw: {
    status: 409,
    message:
      'This key may withdraw. Create one without the permission to withdraw, or give a reason to connect it anyway.',
  },
  exchange_other_account: {
    status: 409,
    message:
      'This key is of another account. Use a key of the same account, or connect the other one as well.',
  },
  reveal_super_only: {
    status: 403,
    message: 'Only super admins may reveal this secret. Ask one of them if you need it.',
  },
} as const;
