/** Refusals that only calls of this feature return. */
export const transferErrors = {
  lift_waiting: {
    status: 409,
    message: 'Lifting this stop already waits for confirmation. Confirm or withdraw that first.',
  },
  order_decided: { status: 409, message: 'This order has already been decided' },
  order_changed: {
    status: 409,
    message: 'This changed since it was ordered. Decline it, and order it again.',
  },
  wallet_not_frozen: { status: 409, message: 'This wallet is not frozen' },
} as const;
