import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { byId, id, timestamp } from '../fields.ts';

const base64url = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\w-]+$/, 'Invalid input');

/** A challenge signed by a passkey: the parts of an `AuthenticatorAssertionResponse`, in base64url. */
export const passkeyAssertion = z.strictObject({
  id: base64url(1_400),
  client_data: base64url(8_000),
  authenticator_data: base64url(8_000),
  signature: base64url(4_000),
});

const passkey = z.object({
  id,
  name: z.string(),
  created_at: timestamp,
  /** Null: never since it was added. */
  last_used_at: timestamp.nullable(),
});

const passkeyName = z.string().trim().min(1, 'Required').max(60, 'Use 60 characters at most');

export const secondFactorCalls = entries({
  'GET /api/me/second-factor': {
    summary: 'The second factors of the own account: authenticator app, backup codes left, passkeys',
    permission: 'signed-in',
    recentAuth: false,
    answer: ok(
      z.object({
        authenticator_app: z.boolean(),
        /** Null without an authenticator app. */
        backup_codes_left: z.int().nullable(),
        passkeys: z.array(passkey),
      }),
    ),
    errors: ['person_required', 'not_found'],
  },
  'PATCH /api/me/passkeys/{id}': {
    summary: 'Renames a passkey of the own account',
    permission: 'signed-in',
    recentAuth: false,
    params: byId,
    body: z.strictObject({ name: passkeyName }),
    answer: ok(passkey),
    errors: ['person_required', 'not_found'],
  },
  'DELETE /api/me/passkeys/{id}': {
    summary: 'Removes a passkey of the own account',
    permission: 'signed-in',
    recentAuth: true,
    params: byId,
    answer: ok(z.null()),
    errors: ['person_required', 'not_found'],
  },
  'POST /api/reauthenticate/passkey': {
    summary: 'A challenge for a passkey of the caller, to be answered with `POST /api/reauthenticate`',
    permission: 'signed-in',
    recentAuth: false,
    answer: ok(
      z.object({
        challenge: z.string(),
        relying_party_id: z.string(),
        passkeys: z.array(z.object({ id: z.string(), transports: z.array(z.string()) })),
      }),
    ),
    errors: ['reauthentication_method', 'person_required', 'not_found'],
    perMinute: 60,
  },
});
