import { CREDENTIALS_REQUIRED } from '@copydesk/domain/trading';

/**
 * Every error code of the API, with its HTTP status and default text. A route may replace the text with a more precise
 * one, except for a status of 500 and above, so no internal text leaks.
 */
export const ERRORS = {
  validation_failed: { status: 400, message: 'Invalid input' },
  invalid_cursor: {
    status: 400,
    message: 'This cursor belongs to another list, order or filter. Start again from the first page.',
  },
  malformed_body: { status: 400, message: 'The request body is not valid JSON' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json' },
  malformed_request: { status: 400, message: 'The request is not valid HTTP' },
  request_timeout: { status: 408, message: 'The request took too long to arrive' },
  headers_too_large: { status: 431, message: 'The headers of the request are too large' },
  payload_too_large: { status: 413, message: 'The request body is too large' },

  missing_token: { status: 401, message: 'Authentication failed: a token is required' },
  malformed_token: { status: 401, message: 'Authentication failed: the token is malformed' },
  invalid_token: { status: 401, message: 'Authentication failed: the token is invalid' },
  token_expired: { status: 401, message: 'Authentication failed: the token has expired' },
  invalid_service_token: { status: 401, message: 'Authentication failed: the service token is invalid' },
  invalid_signature: { status: 401, message: 'Authentication failed: the signature is invalid or too old' },
  account_disabled: { status: 401, message: 'Authentication failed: this account is disabled' },
  account_not_invited: {
    status: 401,
    message:
      'Authentication failed: another account has your e-mail address here, or you have none. A super admin has to invite you.',
  },

  not_admin: { status: 403, message: 'Access denied: this account is not an administrator' },
  no_provider_access: {
    status: 403,
    message: "You don't have access to any providers. Please contact an administrator to grant you access.",
  },
  role_required: { status: 403, message: 'Your role at this provider does not allow this' },
  reauthentication_required: {
    status: 403,
    message:
      'Confirm that it is you: sign in again or call POST /api/reauthenticate, then repeat this request',
  },
  view_as_ended: { status: 403, message: 'You no longer view as this user' },
  organization_ended: { status: 403, message: 'You do not work for this provider, or no longer' },
  view_as_read_only: { status: 403, message: 'You are viewing as another user: nothing can be changed' },
  second_factor_required: {
    status: 403,
    message:
      'This needs a second factor. Add a passkey or set up an authenticator app in your profile, then repeat this request.',
  },
  reauthentication_failed: { status: 403, message: 'That is not correct. Please try again.' },
  reauthentication_code_used: {
    status: 403,
    message: 'This code has already been used. Please wait for the next one.',
  },
  reauthentication_method: {
    status: 403,
    message: 'Confirm with your authenticator app or a passkey, or with your password if you have neither',
  },
  too_many_attempts: { status: 429, message: 'Too many attempts. Please wait and try again.' },
  person_required: { status: 403, message: 'Only a signed-in person can do this, not a service token' },
  super_admin_required: { status: 403, message: 'Super admin access required' },
  service_scope_required: { status: 403, message: 'Access denied: the service token lacks the scope' },
  demo_only_on_loopback: { status: 403, message: 'Demo sign-in works on this machine only' },
  setup_token_invalid: { status: 403, message: 'The setup token is invalid, used or expired' },

  identity_unavailable: {
    status: 409,
    message:
      'The identity service did not send the invitation. The person is listed as invited: send it again later.',
  },

  not_found: { status: 404, message: 'Not found' },

  reference_number_taken: { status: 409, message: 'This reference number belongs to another trader' },
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
  community_archived: { status: 409, message: 'This community is archived: no trader can be added to it' },
  community_has_pending_shares: {
    status: 409,
    message:
      'Cannot archive a community that still owes its recipients. Distribute the pending shares first.',
  },
  community_has_open_invoices: {
    status: 409,
    message:
      'Cannot archive a community with open invoices. Have them paid, or settle or archive them first.',
  },
  community_has_credit: {
    status: 409,
    message:
      'Traders of this community have credit. Archive it with their credit, or pay the credit back first.',
  },
  community_pool_open: {
    status: 409,
    message:
      'Cannot archive a community while its pool is in a harvest cycle. Wait until the pool trades again.',
  },
  community_not_archived: { status: 409, message: 'This community is not archived' },
  community_has_aum: {
    status: 409,
    message: 'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
  },
  community_has_traders: {
    status: 409,
    message: 'Cannot delete a community with active traders. Please remove all traders first.',
  },
  delete_community_failed: { status: 409, message: 'Failed to delete community' },
  bot_exists: { status: 409, message: 'This community already has a bot' },
  bot_taken: { status: 409, message: 'This bot belongs to another community' },
  bot_refused: { status: 422, message: 'Telegram does not accept this token' },
  telegram_unavailable: { status: 503, message: 'Telegram cannot be reached. Please try again.' },
  bot_switched_off: { status: 409, message: 'The bot is switched off' },
  plan_not_offered: { status: 409, message: 'This plan is not offered' },
  no_deposit_address: {
    status: 409,
    message: 'This trader cannot get a deposit address yet: a worker with the wallet seed has to run first',
  },
  coupon_unknown: { status: 404, message: 'No coupon has this code' },
  coupon_refused: { status: 409, message: 'This coupon cannot be used for this order' },
  coupon_applied: { status: 409, message: 'This order has a coupon already' },
  open_sale_above_limit: {
    status: 409,
    message:
      'The open order of this buyer is above what one person may write off within 24 hours. Cancel it first, which another super admin approves',
  },
  sale_settled: { status: 409, message: 'This order is no longer open' },
  credit_changed: { status: 409, message: 'This credit has changed. Please look at it again.' },
  credit_not_on_chain: {
    status: 409,
    message: 'No deposit on chain is behind this credit, so there is nothing that can be sent back',
  },
  nothing_paid_yet: {
    status: 409,
    message: 'This trader has paid no invoice on chain yet, so there is none that a tip could be on',
  },
  nothing_to_deduct: {
    status: 409,
    message: 'This invoice charged nothing too much that was not deducted already',
  },
  payment_on_its_way: {
    status: 409,
    message: 'A payment is on its way to this trader. Wait until it is final, and try again.',
  },
  sale_part_paid: { status: 409, message: 'A part of this order was paid' },
  plan_name_taken: { status: 409, message: 'Another plan has this name' },
  coupon_code_taken: { status: 409, message: 'Another coupon has this code' },
  question_taken: { status: 409, message: 'This question exists already' },
  too_many_offers: { status: 409, message: 'A bot can have at most 100 of these. Delete some first.' },
  billing_not_configured: {
    status: 409,
    message: 'Subscriptions are not set up on this server: it has no keys of the payment service',
  },
  billing_unavailable: { status: 503, message: 'The payment service cannot be reached. Please try again.' },
  already_subscribed: {
    status: 409,
    message: 'This community is subscribed already. Manage its subscription instead.',
  },
  no_customer: { status: 409, message: 'This community has never subscribed: there is nothing to manage' },
  plan_unavailable: { status: 409, message: 'This plan is not offered at present' },
  checkout_under_way: {
    status: 409,
    message: 'Another checkout of this community has just begun. Please try again in a moment.',
  },
  subscription_required: {
    status: 409,
    message: 'The subscription of this community does not include this at present. Subscribe first.',
  },
  split_exceeds_invoice: { status: 409, message: 'This split would give away more than the invoice' },
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
  reveal_reason_required: {
    status: 403,
    message:
      'You have revealed the secrets of ten accounts within an hour. Repeat this request with a reason, which opens the next ten and is recorded in the audit trail.',
  },
  reveal_super_only: {
    status: 403,
    message: 'Only super admins may reveal this secret. Ask one of them if you need it.',
  },
  exchange_refused: { status: 422, message: 'The exchange does not accept these credentials.' },
  pool_other_account: {
    status: 409,
    message: 'This key belongs to another Bybit account than the pool',
  },
  exchange_account_taken: { status: 409, message: 'This exchange account is already connected' },
  invoice_cancelled: { status: 409, message: 'A cancelled invoice is neither paid nor unpaid' },
  invoice_of_pool: {
    status: 409,
    message: 'A pool pays this invoice: it is neither marked by hand nor archived before that',
  },
  invoice_paid_on_chain: {
    status: 409,
    message: 'A payment was seen on chain: the invoice cannot be marked as unpaid',
  },
  payout_made: { status: 409, message: 'A share was paid out: the invoice cannot be marked as unpaid' },
  strangers_together: {
    status: 422,
    message: 'Traders without a reference number are unrelated. Select the invoices of one trader at a time.',
  },
  selection_changed: {
    status: 409,
    message: 'The selected invoices have changed. Please review them again.',
  },
  nothing_unpaid: { status: 409, message: 'This trader has no unpaid invoices' },
  trader_not_reachable: { status: 422, message: 'Unable to find trader information' },
  message_not_failed: { status: 409, message: 'Only a failed message can be sent again' },
  nothing_pending: { status: 409, message: 'Nothing is pending for distribution' },
  above_maximum: {
    status: 409,
    message: 'A payout is above the largest one. Allow it once, and two further super admins approve it.',
  },
  approved_already: {
    status: 403,
    message: 'You have approved this already. Another super admin must approve it as well.',
  },
  others_can_approve: { status: 409, message: 'Other super admins can approve this' },
  recipients_changed: {
    status: 409,
    message: 'Pending shares have changed. Please review them again.',
  },
  wallet_not_ready: {
    status: 409,
    message:
      "The community's wallet is not set up yet. The worker sets it up when it runs with a WALLET_SEED.",
  },
  payout_not_safe: {
    status: 409,
    message: 'The outcome of this payout on chain is not certain yet. Nothing was changed.',
  },
  deposits_missing: {
    status: 409,
    message: 'Deposit addresses hold less than this distribution needs',
  },
  text_refused: {
    status: 422,
    message: 'Traders read this text: it may not contain an address, a hash, a link or an @name',
  },
  changed_meanwhile: {
    status: 409,
    message: 'This was changed by another person meanwhile.',
  },
  setting_changed: {
    status: 409,
    message: 'This setting has changed. Please review it again.',
  },
  setting_locked: {
    status: 409,
    message: "This setting is locked by the server's configuration",
  },
  setting_above_bound: {
    status: 409,
    message: 'This setting is looser than the bound that is set on the machine of the worker',
  },
  setting_waiting: {
    status: 409,
    message: 'Another change of this setting waits for approval. Decline it first.',
  },
  lift_waiting: {
    status: 409,
    message: 'Lifting this stop already waits for confirmation. Confirm or withdraw that first.',
  },
  approvers_missing: {
    status: 409,
    message: 'No other super admin has been one for that long, so no one could approve anything',
  },
  requester_inactive: {
    status: 403,
    message: 'The person who requested this is no longer an active super admin. Decline it instead.',
  },
  own_approval: { status: 403, message: 'Another super admin must approve your request' },
  own_release: { status: 403, message: 'Another super admin must release an address that you changed' },
  address_is_token: {
    status: 409,
    message: 'This address is a contract of tokens: what is paid to it is lost. Set another one',
  },
  address_held: { status: 409, message: 'This address was changed recently and is not payable yet' },
  approval_required: {
    status: 403,
    message:
      'Paying this again would take orders of the last 24 hours above the approval limit. Ask another super admin to retry it.',
  },
  approver_not_independent: {
    status: 403,
    message:
      'The person who requested this invited or promoted you, or removed your second factor. Ask another super admin to approve it, or to confirm your account first.',
  },
  approver_not_confirmed: {
    status: 403,
    message:
      'Your account is not confirmed yet. Ask a super admin who did not invite or promote you, or remove your second factor, to confirm it, or run npm run admin -- confirm on the server.',
  },
  requester_not_independent: {
    status: 403,
    message:
      'You invited or promoted the person who requested this, or removed their second factor, and that account is not confirmed yet. Ask another super admin to approve this, or to confirm the account.',
  },
  approver_too_new: {
    status: 403,
    message: 'You became a super admin too recently to approve this. Ask another super admin to approve it.',
  },
  own_confirmation: { status: 403, message: 'Ask another super admin to confirm your account' },
  not_a_super_admin: {
    status: 409,
    message: 'Only a super admin who has accepted the invitation and is not disabled can be confirmed',
  },
  confirmer_not_confirmed: {
    status: 403,
    message: 'Your own account is not confirmed yet, so you cannot confirm others',
  },
  operator_confirmation_required: {
    status: 403,
    message:
      'There is no second confirmed super admin yet. Run npm run admin -- confirm --email <address> on the server to confirm this one.',
  },
  confirmation_not_independent: {
    status: 403,
    message:
      'You invited or promoted this account, or removed its second factor, directly or through others. Ask another super admin to confirm it, or run npm run admin -- confirm on the server.',
  },
  confirmation_needs_sponsor: {
    status: 403,
    message:
      'The identity service made this account a super admin, and no super admin here answers for it. Take the right away and give it again, to be its sponsor; then another super admin can confirm it.',
  },
  actor_not_confirmed: {
    status: 403,
    message:
      'Your own account is not confirmed yet, so you cannot disable, demote or sign out a confirmed super admin. Ask another super admin to confirm you, or to do it.',
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
  invalid_flow_status: { status: 409, message: 'This request is already under way, or has ended' },
  no_payout_address: { status: 409, message: 'This trader has no payout address' },
  bot_attached: { status: 409, message: 'The trading bot of this pool reports this' },
  pool_inactive: { status: 409, message: 'This pooled account is inactive' },
  trader_not_in_community: {
    status: 422,
    message: 'This trader belongs to another community than the pooled account',
  },
  order_decided: { status: 409, message: 'This order has already been decided' },
  order_changed: {
    status: 409,
    message: 'This changed since it was ordered. Decline it, and order it again.',
  },
  write_off_reason_required: {
    status: 422,
    message: 'Say why: what is unpaid is above what one person may write off within 24 hours',
  },
  order_waits: { status: 409, message: 'This waits for another super admin already' },
  distribution_decided: { status: 409, message: 'This distribution has already been decided' },
  reading_not_stopped: { status: 409, message: 'Deposit reading is not waiting for review' },
  wallet_not_frozen: { status: 409, message: 'This wallet is not frozen' },
  provider_name_taken: { status: 409, message: 'Another provider has this name' },
  provider_inactive: { status: 409, message: 'This provider is inactive' },
  provider_already_linked: { status: 409, message: 'This community already works with this provider' },
  provider_in_use: { status: 409, message: 'This provider is still in use in this community' },
  community_name_taken: { status: 409, message: 'Another community has this name' },
  too_many_invitations: {
    status: 409,
    message:
      'This person was invited five times within a quarter of an hour. The last link is valid; wait a few minutes before you send another one.',
  },
  invited_as_super: {
    status: 409,
    message:
      'This person is invited as a super admin already, and approving would take that away. Decline this request, or change the access of the person first.',
  },
  waitlist_full: {
    status: 409,
    message:
      'The list of requests is full, so yours was not noted. Try again in a few days, or write to the person who told you about Copydesk.',
  },
  weak_password: {
    status: 422,
    message: 'This password is among those that are guessed first. Choose another one.',
  },
  email_taken: { status: 409, message: 'A user with this e-mail address already exists' },
  nothing_to_view: {
    status: 409,
    message:
      'Super admins see everything, and people without the admin flag nothing: there is nothing to view',
  },
  waitlist_decided: { status: 409, message: 'This request has been decided already' },
  invitation_accepted: { status: 409, message: 'This user has accepted the invitation already' },
  own_account: { status: 409, message: 'Change your own account in your profile' },
  last_super_admin: { status: 409, message: 'At least one active super admin must remain' },
  link_invalid: { status: 410, message: 'This link is invalid or no longer used' },
  invitation_invalid: {
    status: 410,
    message: 'This invitation is invalid, used or expired. If you accepted it, your account exists: sign in.',
  },

  idempotency_in_flight: {
    status: 409,
    message:
      'The same request is still in progress. Please try again in a moment with the same Idempotency-Key.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used for another request',
  },

  too_many_streams: {
    status: 429,
    message:
      'Six tabs of this account already receive live changes. Close one; until then this tab refreshes less often.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },

  refused_by_rules: {
    status: 422,
    message:
      'These values contradict each other or what is stored. Nothing was changed. Check what you entered.',
  },
  internal_error: { status: 500, message: 'Something went wrong on our side' },
  unavailable: { status: 503, message: 'The service is not available at the moment. Please try again.' },
  writes_unavailable: {
    status: 503,
    message: 'Changes are not possible at the moment. Reading works. Try again in a minute.',
  },
  exchange_unavailable: { status: 503, message: 'The exchange could not be read. Please try again.' },
  query_timeout: { status: 503, message: 'This took too long. Please narrow the filters and try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Errors that any call may return, besides those of its entry. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'validation_failed',
  'refused_by_rules',
  'rate_limited',
  'internal_error',
  'unavailable',
  'writes_unavailable',
  'query_timeout',
];

/** Errors of calls that honour the `Idempotency-Key`. */
export const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['idempotency_in_flight', 'idempotency_key_reused'];

/** Errors that any webhook may return, besides those of its entry. */
export const WEBHOOK_ERRORS: readonly ErrorCode[] = [
  'validation_failed',
  'malformed_body',
  'invalid_signature',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'unavailable',
];
