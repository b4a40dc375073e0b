import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { day, line, queryInteger, timestamp } from '../fields.ts';

/** Refusals of the sign-in page that have no code in `ERRORS`, with their texts. */
export const SIGN_IN_REFUSALS = {
  wrong_password: 'The e-mail address or the password is wrong',
  wrong_code: 'The code of the second factor is wrong',
  code_used: 'The code of the second factor has been used before',
  passkey_refused: 'The passkey was not accepted',
  foreign_origin: 'The request came from another site',
} as const;

/** What the security log records although it was allowed, with its text. */
export const NOTED_ACTS = {
  reveal_burst: 'The secrets of unusually many exchange accounts were revealed',
  address_disowned: 'The owner of a changed payout address said by Telegram that it is not theirs',
} as const;

/** The codes that the security log records, each with its kind. */
export const REFUSAL_KINDS = {
  not_admin: 'access',
  no_provider_access: 'access',
  role_required: 'access',
  super_admin_required: 'access',
  service_scope_required: 'access',
  person_required: 'access',
  reveal_super_only: 'access',
  view_as_read_only: 'access',
  // Staff who send the header of a view get this as well.
  view_as_ended: 'access',
  organization_ended: 'access',
  export_access_changed: 'access',

  invalid_token: 'authentication',
  malformed_token: 'authentication',
  invalid_service_token: 'authentication',
  account_disabled: 'authentication',
  account_not_invited: 'authentication',
  invalid_signature: 'authentication',
  setup_token_invalid: 'authentication',
  demo_only_on_loopback: 'authentication',
  wrong_password: 'authentication',
  wrong_code: 'authentication',
  code_used: 'authentication',
  passkey_refused: 'authentication',
  foreign_origin: 'authentication',

  reauthentication_failed: 'reauthentication',
  reauthentication_code_used: 'reauthentication',

  own_approval: 'four_eyes',
  approved_already: 'four_eyes',
  own_release: 'four_eyes',
  own_confirmation: 'four_eyes',
  approval_required: 'four_eyes',
  approver_not_independent: 'four_eyes',
  approver_not_confirmed: 'four_eyes',
  approver_too_new: 'four_eyes',
  requester_not_independent: 'four_eyes',
  requester_inactive: 'four_eyes',
  confirmer_not_confirmed: 'four_eyes',
  confirmation_not_independent: 'four_eyes',
  confirmation_needs_sponsor: 'four_eyes',
  actor_not_confirmed: 'four_eyes',
  operator_confirmation_required: 'four_eyes',

  rate_limited: 'rate',
  too_many_attempts: 'rate',
  reveal_burst: 'rate',

  address_disowned: 'four_eyes',
} as const satisfies Partial<
  Record<ErrorCode | keyof typeof SIGN_IN_REFUSALS | keyof typeof NOTED_ACTS, string>
>;

export type RefusalCode = keyof typeof REFUSAL_KINDS;
export type RefusalKind = (typeof REFUSAL_KINDS)[RefusalCode];

/** Refusals that honest clients cause all day: recorded, they would hide the others. */
export const UNRECORDED_REFUSALS = [
  'missing_token',
  'token_expired',
  'reauthentication_required',
  'reauthentication_method',
  'second_factor_required',
  'reveal_reason_required',
  'too_many_streams',
] as const satisfies readonly ErrorCode[];

/** Whether the security log records an error. */
export const isRecordedRefusal = (code: string): code is RefusalCode => Object.hasOwn(REFUSAL_KINDS, code);

/** The text of a recorded code; the code itself where a row is older than the list. */
export function refusalText(code: string): string {
  const withoutError: Record<string, string> = { ...SIGN_IN_REFUSALS, ...NOTED_ACTS };
  if (Object.hasOwn(withoutError, code)) return withoutError[code] ?? code;
  return Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].message : code;
}

const kind = z.enum(['access', 'authentication', 'reauthentication', 'four_eyes', 'rate']);
const callerKind = z.enum(['user', 'service']);
const filters = {
  kind: kind.optional(),
  code: line.optional().describe('the code of an error, as in `super_admin_required`'),
  actor_id: line
    .optional()
    .describe('who was refused, or whose account a sign-in was about: the id of a user or a service token'),
  address: line.optional().describe('an address, or another one of its network: the first half of IPv6'),
  from: day.optional().describe('the first day, UTC'),
  to: day.optional().describe('the last day, UTC'),
};

const attempt = z
  .object({
    id: z.uuid(),
    kind,
    code: z.string(),
    /** What `code` says to people. */
    text: z.string(),
    /** null: not listed, because the hour or this caller had too many different attempts. */
    call: z.string().nullable(),
    /** null: no call of this contract. */
    summary: z.string().nullable(),
    /**
     * null: unknown to the server. Of a refused sign-in, the account that the caller tried to enter; an e-mail address that
     * belongs to no account is not stored.
     */
    caller_kind: callerKind.nullable(),
    caller_id: z.string().nullable(),
    caller_name: z.string().nullable(),
    /** The address of the last attempt; null: not listed, as with `call`. */
    address: z.string().nullable(),
    network: z.string().nullable(),
    first_at: timestamp,
    last_at: timestamp,
    /** How often within the hour. */
    count: z.int(),
    /** Of the last attempt. */
    request_id: z.string().nullable(),
  })
  .meta({ id: 'RefusedAttempt' });

export const securityLogCalls = entries({
  'GET /api/audit/refusals': {
    summary: 'Refused attempts of the last 180 days, newest first, counted by hour',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({
      ...filters,
      limit: queryInteger(1, 500).optional(),
      cursor: z.string().max(2_000).optional().describe('next_cursor of a page of the same filters'),
    }),
    answer: page(attempt, {
      /** null: this is the last page. */
      next_cursor: z.string().nullable(),
      /** At most 10,000 are counted. */
      total: z.int(),
      is_total_capped: z.boolean(),
      /**
       * Attempts beyond what an hour lists, which are counted by code and caller only, by kind. They match the filters
       * but `address`: their network is not known.
       */
      unlisted: z.array(z.object({ kind, count: z.int() })),
    }),
    errors: ['invalid_cursor'],
  },
  'GET /api/audit/refusals/counts': {
    summary: 'The number of refused attempts by kind',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject(filters),
    answer: ok(z.array(z.object({ kind, count: z.int(), last_at: timestamp }))),
    errors: [],
  },
  'GET /api/audit/refusals/export': {
    summary: 'Refused attempts as CSV, streamed',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject(filters),
    answer: { stream: 'text/csv' },
    errors: [],
  },
});
