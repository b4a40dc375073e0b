/** Refusals that only calls of this feature return. */
export const poolErrors = {
  pool_other_account: {
    status: 409,
    message: 'This key belongs to another Bybit account than the pool',
  },
  community_has_pool: { status: 409, message: 'This community has a pooled account already' },
  pool_key_refused: { status: 422, message: 'This key cannot be used for a pooled account' },
  pool_not_connected: { status: 409, message: 'This pooled account has no key for its exchange account' },
  pool_has_money: {
    status: 409,
    message: 'This pooled account still has money. Pay it out first.',
  },
  invalid_status: {
    status: 409,
    message: 'The harvest cycle is in a status that does not allow this',
  },
  uninvoiced_positions: {
    status: 409,
    message: 'Closed positions are not invoiced yet. Wait a moment and try again.',
  },
  open_positions_exist: {
    status: 409,
    message: 'Positions or orders are still open on the exchange. Close them first.',
  },
  already_harvesting: { status: 409, message: 'Harvesting is already active' },
  already_stopping: { status: 409, message: 'Harvesting is already stopping' },
  not_harvesting: { status: 409, message: 'Harvesting is not active' },
  reminded_lately: {
    status: 409,
    message: 'The owner was written to within the last 10 minutes. Wait a little before the next reminder.',
  },
  payments_stopped: {
    status: 409,
    message: 'All payments are stopped, and no one is asked to send money meanwhile',
  },
  owner_unreachable: {
    status: 409,
    message: 'The owner of this community has no Telegram ID, so no message can be sent. Add one first.',
  },
  pending_operations: {
    status: 409,
    message: 'Deposits, withdrawals or fee transfers are still under way. Stop again when these are done.',
  },
  deposit_address_not_approved: {
    status: 409,
    message: 'The deposit address at the exchange is not approved, or was changed recently',
  },
  circuit_breaker: {
    status: 409,
    message:
      'The drawdown has reached the circuit breaker of the pool: it does not trade on. Whoever raises the limit cannot stop the harvest: another super admin can.',
  },
  deposit_address_differs: {
    status: 409,
    message: 'The exchange shows another deposit address for this account',
  },
  evidence_old: { status: 409, message: 'The last read of the exchange is too old. Please try again.' },
  evidence_missing: { status: 409, message: 'This decision does not fit the failed step' },
  cycle_changed: { status: 409, message: 'The harvest cycle has changed. Please review it again.' },
  funds_moved: { status: 409, message: 'Funds have already returned: the harvest cannot be aborted' },
  balance_incomplete: {
    status: 409,
    message: 'The exchange account holds less than at the start: the harvest cannot be aborted',
  },
  withdrawal_under_way: { status: 409, message: 'A withdrawal from the exchange has not ended' },
  returns_missing: { status: 409, message: 'The money has not come back to the proxy wallet' },
  second_person_required: { status: 409, message: 'Two super admins must decide this' },
  decision_required: {
    status: 409,
    message: 'This failure cannot be retried. Propose a resolution, which another super admin confirms.',
  },
  decision_pending: { status: 409, message: 'Another decision about this money is open' },
  arrival_explained: { status: 409, message: 'This arrival is explained already' },
  arrival_amount: {
    status: 409,
    message: 'Not that much of the unexplained money can be decided this way at present',
  },
  movement_linked: { status: 409, message: 'Another arrival belongs to this withdrawal already' },
  not_linked: { status: 409, message: 'Only a confirmed withdrawal from the exchange can be undone' },
  link_too_old: {
    status: 409,
    message: 'The result of the cycle is being decided or is booked: this can no longer be undone',
  },
  request_key_reused: { status: 409, message: 'This request key was used for another request' },
  bot_attached: { status: 409, message: 'The trading bot of this pool reports this' },
  pool_inactive: { status: 409, message: 'This pooled account is inactive' },
  trader_not_in_community: {
    status: 422,
    message: 'This trader belongs to another community than the pooled account',
  },
} as const;
