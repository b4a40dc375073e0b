import {
  CAPABILITIES,
  PERMISSIONS,
  SERVICE_SCOPES,
  STAFF_ROLE_NAMES,
  USER_ROLES,
  USER_STATES,
} from '@copydesk/domain/access';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import {
  byId,
  email,
  flag,
  id,
  line,
  paging,
  password,
  searched,
  seenVersion,
  timestamp,
} from '../fields.ts';
import { refined } from '../refined.ts';
import { defaultViews } from '../settings/saved-views.ts';
import { listLayouts, personSettings } from './person-settings.ts';
import { passkeyAssertion } from './second-factors.ts';

export const PERSONAS = ['super', 'super-2', 'staff', 'staff-multi', 'no-access', 'not-admin'] as const;
export type Persona = (typeof PERSONAS)[number];

const staffRoles = z
  .record(id, z.enum(STAFF_ROLE_NAMES))
  .describe('by provider, where it is another than `staff`');

const flags = {
  admin: z.boolean(),
  super: z.boolean(),
  provider_access: z.array(id),
  staff_roles: staffRoles,
};

/** A super admin is an admin who may sign in: a request that contradicts this is refused, not guessed at. */
const consistentFlags = <S extends z.ZodObject>(body: S): S =>
  refined(
    body,
    ({ super: isSuper, admin, disabled }) => isSuper !== true || (admin !== false && disabled !== true),
    {
      path: ['super'],
      error: 'Invalid input: a super admin is an admin, and not disabled',
    },
  );

/** It must be possible to take rights away at once, so only a change that gives some needs the version. */
const givesRights = (change: {
  admin?: boolean | undefined;
  super?: boolean | undefined;
  provider_access?: { added: string[] } | undefined;
  staff_roles?: object | undefined;
  disabled?: boolean | undefined;
}): boolean =>
  change.admin === true ||
  change.super === true ||
  change.disabled === false ||
  (change.provider_access?.added ?? []).length > 0 ||
  Object.keys(change.staff_roles ?? {}).length > 0;

const user = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  ...flags,
  disabled: z.boolean(),
  two_factor_enabled: z.boolean(),
  /** False until the invitation is accepted. */
  active: z.boolean(),
  /** For a super admin: confirmed by a person other than its sponsors, so it may approve payouts and confirm others. */
  confirmed: z.boolean(),
  confirmed_at: timestamp.nullable(),
  /** Null with `confirmed_at`: an operator of the server. */
  confirmed_by: z.string().nullable(),
  /** The last person to invite or promote it; null: an operator of the server. */
  invited_by: z.string().nullable(),
  created_at: timestamp,
  /** When it last called the API, to within five minutes; null: never. */
  last_seen_at: timestamp.nullable(),
  version: seenVersion.describe('of the access'),
});

const session = z.object({
  /** A hosted identity service has ids of its own. */
  id: z.string(),
  started_at: timestamp,
  /** Null: the identity service decides. */
  expires_at: timestamp.nullable(),
  address: z.string().nullable(),
  browser: z.string().nullable(),
  is_own: z.boolean().describe("the caller's present session"),
});

const link = z.object({
  id: z.string(),
  e_mailed: z.boolean(),
  is_waiting: z.boolean().describe('the mail server has not taken the mail yet: it is sent once it does'),
  /** Shown once, when it was not e-mailed. */
  link: z.string().nullable(),
});

const serviceToken = z.object({
  id,
  name: z.string(),
  /** The first characters, to distinguish tokens. The rest is shown once, at creation. */
  prefix: z.string(),
  scopes: z.array(z.enum(SERVICE_SCOPES)),
  provider_ids: z.array(id),
  owner_id: z.string(),
  /** E-mail address of its owner, whose access bounds the token's. */
  owner: z.string(),
  expires_at: timestamp,
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  created_at: timestamp,
});

/** `reset`: removed the second factor. */
const sponsorAct = z.enum(['invited', 'promoted', 'reset']);

export const identityCalls = entries({
  'GET /api/me': {
    summary: 'The signed-in person, with the providers behind its flags',
    permission: 'signed-in',
    recentAuth: false,
    answer: ok(
      z.object({
        id: z.string(),
        email: z.string(),
        name: z.string(),
        admin: z.boolean(),
        super: z.boolean(),
        two_factor_enabled: z.boolean(),
        /** How this person authenticates again: see `POST /api/reauthenticate`. */
        reauthenticates_by: z.enum([
          'one_click',
          'password',
          'code',
          'passkey',
          'code_or_passkey',
          'identity_service',
        ]),
        providers: z.array(z.object({ id, name: z.string(), role: z.enum(STAFF_ROLE_NAMES) })),
        /** The super admin who views as this person; null: none. */
        viewed_by: z.string().nullable(),
        /** The provider in which the person works at present, which `providers` and every call are about; null: all. */
        organization: id.nullable(),
        /** The providers to choose it from: those of staff, whatever is chosen. */
        organizations: z.array(z.object({ id, name: z.string() })),
        settings: personSettings.describe('what the person chose for itself, with the defaults of the rest'),
        lists: listLayouts.describe('the lists whose columns the person arranged'),
        default_views: defaultViews.describe('the saved views with which lists open'),
      }),
    ),
    errors: [],
  },
  'GET /api/me/sessions': {
    summary: 'The sessions of the own account, newest first',
    permission: 'signed-in',
    recentAuth: false,
    answer: ok(z.array(session)),
    errors: ['person_required'],
  },
  'DELETE /api/me/sessions': {
    summary: 'Ends every session of the own account but the present one',
    permission: 'signed-in',
    recentAuth: false,
    answer: ok(z.object({ ended: z.int() })),
    errors: ['person_required'],
  },
  'DELETE /api/me/sessions/{id}': {
    summary: 'Ends one session of the own account',
    permission: 'signed-in',
    recentAuth: false,
    params: byId,
    answer: ok(z.object({ ended: z.int() })),
    errors: ['person_required'],
  },
  'POST /api/demo/sign-in': {
    summary: 'Signs in as a persona of the demo world; sets the session cookie too',
    permission: 'public',
    recentAuth: false,
    body: z.strictObject({ persona: z.enum(PERSONAS) }),
    answer: z.object({ success: z.literal(true), token: z.string() }),
    errors: ['not_found', 'demo_only_on_loopback'],
  },
  'POST /api/reauthenticate': {
    summary: 'Authenticates the caller again, by password, or by a second factor if the account has one',
    permission: 'signed-in',
    recentAuth: false,
    body: refined(
      z.strictObject({
        password: z.string().min(1).max(128).optional(),
        code: z.string().min(1).max(20).optional(),
        passkey: passkeyAssertion.optional(),
        one_click: z.literal(true).optional().describe('personas of the demo world, on this machine'),
      }),
      (body) => Object.values(body).filter((value) => value !== undefined).length === 1,
    ),
    answer: z.object({ success: z.literal(true), token: z.string() }),
    errors: [
      'reauthentication_failed',
      'reauthentication_code_used',
      'reauthentication_method',
      'too_many_attempts',
      'person_required',
      'not_found',
    ],
    perMinute: 60,
  },
  'POST /api/setup': {
    summary: 'Claims the one-time setup token and creates the first super admin',
    permission: 'public',
    recentAuth: false,
    body: z.strictObject({ token: line, email, name: line, password }),
    answer: ok(z.object({ id: z.string() })),
    status: 201,
    errors: ['setup_token_invalid', 'weak_password', 'email_taken', 'not_found'],
    perMinute: 10,
  },
  'POST /api/sign-in-links/look': {
    summary: 'Whose account a link opens: of an invitation, or to a new password. For whoever has the link',
    permission: 'public',
    recentAuth: false,
    body: z.strictObject({ kind: z.enum(['accept', 'reset']), token: line }),
    answer: ok(z.object({ email: z.string() })),
    errors: ['link_invalid', 'invitation_invalid', 'not_found'],
    perMinute: 20,
  },
  'POST /api/invitations/accept': {
    summary: 'Accepts an invitation by choosing a name and a password',
    permission: 'public',
    recentAuth: false,
    body: z.strictObject({ token: line, name: line, password }),
    answer: ok(z.object({ email: z.string() })),
    errors: ['invitation_invalid', 'weak_password', 'not_found'],
    perMinute: 10,
  },
  'GET /api/users': {
    summary: 'The users and their flags',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({
      ...paging,
      search: searched.optional().describe('part of a name or an e-mail address'),
      role: z.enum(USER_ROLES).optional(),
      state: z.enum(USER_STATES).optional(),
      provider_id: id.optional().describe('who may see this provider as staff'),
    }),
    answer: page(user, { total: z.int() }),
    errors: [],
  },
  'POST /api/users/invitations': {
    summary: 'Invites a person; the link is e-mailed if SMTP is configured, otherwise returned once',
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    body: consistentFlags(
      z.strictObject({
        email,
        admin: z.boolean().default(true),
        super: z.boolean().default(false),
        provider_access: z.array(id).max(500).default([]),
        staff_roles: staffRoles.default({}),
      }),
    ),
    answer: ok(link),
    status: 201,
    errors: ['email_taken', 'not_found', 'too_many_invitations', 'identity_unavailable'],
    perMinute: 30,
  },
  'GET /api/users/{id}': {
    summary: 'A user with its sessions, its sponsors, and the users whose sponsor it is',
    permission: 'super',
    recentAuth: false,
    params: z.strictObject({ id: line }),
    answer: ok(
      user.extend({
        /** When the open invitation ends; null: none is open. */
        invitation_expires_at: timestamp.nullable(),
        failed_mail: z
          .object({ at: timestamp, problem: z.string() })
          .nullable()
          .describe('the latest mail to the person that failed within seven days'),
        sessions: z.array(session),
        sponsors: z.array(z.object({ act: sponsorAct, at: timestamp, by: z.string() })),
        /** The latest 50. */
        sponsored: z.array(
          z.object({
            id: z.string(),
            email: z.string(),
            act: sponsorAct,
            at: timestamp,
          }),
        ),
      }),
    ),
    errors: ['not_found'],
  },
  'POST /api/users/{id}/invitation': {
    summary: 'Renews the invitation of a user who has not accepted it, with the same access',
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    params: z.strictObject({ id: line }),
    answer: ok(link),
    status: 201,
    errors: ['not_found', 'invitation_accepted', 'too_many_invitations', 'identity_unavailable'],
    perMinute: 30,
  },
  'DELETE /api/users/{id}/sessions': {
    summary: 'Ends every session of a user',
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    params: z.strictObject({ id: line }),
    answer: ok(z.object({ ended: z.int() })),
    errors: ['not_found', 'actor_not_confirmed'],
  },
  'DELETE /api/users/{id}/second-factor': {
    summary:
      'Removes the second factor of another user, who has lost it, and ends its sessions. A super admin has to be confirmed again.',
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    params: z.strictObject({ id: line }),
    answer: ok(user),
    errors: ['not_found', 'own_account', 'actor_not_confirmed'],
  },
  'PATCH /api/users/{id}': {
    summary: 'Changes the flags of a user, or disables it, which ends its sessions and its service tokens',
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    params: z.strictObject({ id: line }),
    body: refined(
      consistentFlags(
        z.strictObject({
          admin: z.boolean().optional(),
          super: z.boolean().optional(),
          provider_access: z
            .strictObject({
              added: z.array(id).max(500).default([]),
              removed: z.array(id).max(500).default([]),
            })
            .optional(),
          staff_roles: z
            .record(id, z.enum(STAFF_ROLE_NAMES))
            .optional()
            .describe('the roles that change, by provider'),
          disabled: z.boolean().optional(),
          version: seenVersion
            .optional()
            .describe('the version that the author saw; a change that only takes rights away needs none'),
        }),
      ),
      (change) => change.version !== undefined || !givesRights(change),
      { path: ['version'], error: 'Invalid input: giving rights needs the version that was seen' },
    ),
    answer: ok(user),
    errors: ['not_found', 'changed_meanwhile', 'last_super_admin', 'actor_not_confirmed'],
  },
  'POST /api/users/{id}/confirm': {
    summary: 'Confirms a super admin whose sponsor the caller is not',
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    params: z.strictObject({ id: line }),
    answer: ok(user),
    errors: [
      'not_found',
      'own_confirmation',
      'not_a_super_admin',
      'confirmer_not_confirmed',
      'operator_confirmation_required',
      'confirmation_not_independent',
      'confirmation_needs_sponsor',
    ],
  },
  'POST /api/users/{id}/view-as': {
    summary:
      "Opens a view for half an hour: requests with the user's id in the header X-View-As read what that user sees, and change nothing",
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    params: z.strictObject({ id: line }),
    answer: ok(z.object({ id: z.string(), expires_at: timestamp })),
    status: 201,
    errors: ['not_found', 'own_account', 'nothing_to_view'],
  },
  'DELETE /api/view-as': {
    summary: "Ends the caller's view as another user; sent without the header",
    permission: 'super',
    recentAuth: false,
    answer: ok(z.null()),
    errors: [],
  },
  'GET /api/users/{id}/communities': {
    summary: 'The communities that a user may see: its own for anyone, of others for super admins',
    permission: 'admin',
    recentAuth: false,
    params: z.strictObject({ id: line }),
    answer: ok(z.array(z.object({ id, name: z.string() }))),
    errors: ['not_found'],
  },
  'GET /api/access/calls': {
    summary: 'Every call of the API, and what it needs',
    permission: 'super',
    recentAuth: false,
    answer: ok(
      z.array(
        z.object({
          call: z.string(),
          summary: z.string(),
          permission: z.enum(PERMISSIONS),
          capability: z.enum(CAPABILITIES).nullable(),
          service_scope: z.enum(SERVICE_SCOPES).nullable(),
          /** Null: every request. Empty: none. */
          recent_auth_fields: z.array(z.string()).nullable(),
          second_factor: z.boolean(),
        }),
      ),
    ),
    errors: [],
  },
  'GET /api/service-tokens': {
    summary: 'The service tokens, without their secrets',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({ include_revoked: flag.optional() }),
    answer: ok(z.array(serviceToken)),
    errors: [],
  },
  'POST /api/service-tokens': {
    summary: 'Creates a service token and returns its secret, this one time only',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({
      name: line,
      scopes: z.array(z.enum(SERVICE_SCOPES)).min(1),
      provider_ids: z.array(id).min(1).max(500),
      expires_in_days: z.int().min(1).max(365).default(90),
    }),
    answer: ok(serviceToken.extend({ token: z.string() })),
    status: 201,
    errors: ['not_found'],
  },
  'DELETE /api/service-tokens/{id}': {
    summary: 'Revokes a service token at once',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(serviceToken),
    errors: ['not_found'],
  },
});
