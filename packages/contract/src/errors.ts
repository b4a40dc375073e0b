import { attentionErrors } from './attention/errors.ts';
import { billingErrors } from './billing/errors.ts';
import { botErrors } from './bots/errors.ts';
import { bulkErrors } from './bulk/errors.ts';
import { communityErrors } from './communities/errors.ts';
import { exchangeErrors } from './exchanges/errors.ts';
import { exportErrors } from './exports/errors.ts';
import { invoiceErrors } from './invoices/errors.ts';
import { noteErrors } from './notes/errors.ts';
import { payoutErrors } from './payouts/errors.ts';
import { peopleErrors } from './people/errors.ts';
import { poolErrors } from './pools/errors.ts';
import { settingErrors } from './settings/errors.ts';
import { traderErrors } from './traders/errors.ts';
import { transferErrors } from './transfers/errors.ts';

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
  token_expired: { status: 401, message: 'Authentication failed: the token has expired' },
  reauthentication_required: {
    status: 403,
    message:
      'Confirm that it is you: sign in again or call POST /api/reauthenticate, then repeat this request',
  },
  second_factor_required: {
    status: 403,
    message:
      'This needs a second factor. Add a passkey or set up an authenticator app in your profile, then repeat this request.',
  },
  malformed_token: { status: 401, message: 'Authentication failed: the token is malformed' },
  invalid_token: { status: 401, message: 'Authentication failed: the token is invalid' },
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
  view_as_ended: { status: 403, message: 'You no longer view as this user' },
  organization_ended: { status: 403, message: 'You do not work for this provider, or no longer' },
  view_as_read_only: { status: 403, message: 'You are viewing as another user: nothing can be changed' },
  reauthentication_method: {
    status: 403,
    message: 'Confirm with your authenticator app or a passkey, or with your password if you have neither',
  },
  person_required: { status: 403, message: 'Only a signed-in person can do this, not a service token' },
  super_admin_required: { status: 403, message: 'Super admin access required' },
  service_scope_required: { status: 403, message: 'Access denied: the service token lacks the scope' },

  not_found: { status: 404, message: 'Not found' },
  community_archived: { status: 409, message: 'This community is archived: no trader can be added to it' },
  no_deposit_address: {
    status: 409,
    message: 'This trader cannot get a deposit address yet: a worker with the wallet seed has to run first',
  },
  payment_on_its_way: {
    status: 409,
    message: 'A payment is on its way to this trader. Wait until it is final, and try again.',
  },
  split_exceeds_invoice: { status: 409, message: 'This split would give away more than the invoice' },
  reveal_reason_required: {
    status: 403,
    message:
      'You have revealed the secrets of ten accounts within an hour. Repeat this request with a reason, which opens the next ten and is recorded in the audit trail.',
  },
  exchange_refused: { status: 422, message: 'The exchange does not accept these credentials.' },
  exchange_account_taken: { status: 409, message: 'This exchange account is already connected' },
  invoice_cancelled: { status: 409, message: 'A cancelled invoice is neither paid nor unpaid' },
  invoice_paid_on_chain: {
    status: 409,
    message: 'A payment was seen on chain: the invoice cannot be marked as unpaid',
  },
  payout_made: { status: 409, message: 'A share was paid out: the invoice cannot be marked as unpaid' },
  other_order_open: {
    status: 409,
    message: 'The buyer has another open order: the invoice cannot be marked as unpaid',
  },
  trader_not_reachable: { status: 422, message: 'Unable to find trader information' },
  message_not_failed: { status: 409, message: 'Only a failed message can be sent again' },
  messages_changed: {
    status: 409,
    message: 'How many of these messages can be sent again has changed. Please look at them again.',
  },
  above_maximum: {
    status: 409,
    message: 'A payout is above the largest one. Allow it once, and two further super admins approve it.',
  },
  others_can_approve: { status: 409, message: 'Other super admins can approve this' },
  wallet_not_ready: {
    status: 409,
    message:
      "The community's wallet is not set up yet. The worker sets it up when it runs with a WALLET_SEED.",
  },
  text_refused: {
    status: 422,
    message: 'Traders read this text: it may not contain an address, a hash, a link or an @name',
  },
  changed_meanwhile: {
    status: 409,
    message: 'This was changed by another person meanwhile.',
  },
  setting_locked: {
    status: 409,
    message: "This setting is locked by the server's configuration",
  },
  requester_inactive: {
    status: 403,
    message: 'The person who requested this is no longer an active super admin. Decline it instead.',
  },
  own_approval: { status: 403, message: 'Another super admin must approve your request' },
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
  invalid_flow_status: { status: 409, message: 'This request is already under way, or has ended' },
  no_payout_address: { status: 409, message: 'This trader has no payout address' },
  write_off_reason_required: {
    status: 422,
    message: 'Say why: what is unpaid is above what one person may write off within 24 hours',
  },
  order_waits: { status: 409, message: 'This waits for another super admin already' },
  reading_not_stopped: { status: 409, message: 'Deposit reading is not waiting for review' },
  provider_name_taken: { status: 409, message: 'Another provider has this name' },
  link_invalid: { status: 410, message: 'This link is invalid or no longer used' },

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

  ...attentionErrors,
  ...billingErrors,
  ...botErrors,
  ...communityErrors,
  ...exchangeErrors,
  ...bulkErrors,
  ...exportErrors,
  ...invoiceErrors,
  ...noteErrors,
  ...payoutErrors,
  ...peopleErrors,
  ...poolErrors,
  ...settingErrors,
  ...traderErrors,
  ...transferErrors,
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
