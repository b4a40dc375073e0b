import { PASSKEY_ERROR_CODES, passkey } from '@better-auth/passkey';
import type { Statements } from '../../../db/statements.ts';
import type { Origins } from '../../origins.ts';
import { PASSKEY_SCHEMA } from '../auth-columns.ts';
import { refusals } from '../auth-refusals.ts';

/**
 * The library's passkeys. It accepts authenticators that did not verify their user; here a passkey counts as both
 * factors, so that is refused.
 */
export function createPasskeyPlugin({
  statements,
  relyingParty,
}: {
  statements: Statements;
  relyingParty: RelyingParty;
}) {
  return passkey({
    rpID: relyingParty.id,
    rpName: 'Copydesk',
    origin: relyingParty.origin,
    schema: PASSKEY_SCHEMA,
    advanced: { webAuthnChallengeCookie: 'passkey' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      // The library would require a session that began within ten minutes. Our hooks require a session whose person
      // proved their identity within them, however old it is.
      requireSession: false,
      async afterVerification({ verification: { registrationInfo } }) {
        if (!registrationInfo?.userVerified) throw refusals.passkeyNotVerified();
        if (await isKnown(statements, registrationInfo.credential.id)) throw refusals.passkeyKnown();
      },
    },
    authentication: {
      async afterVerification({ verification: { authenticationInfo } }) {
        if (!authenticationInfo.userVerified) throw refusals.passkeyNotVerified();
      },
    },
  });
}

async function isKnown(statements: Statements, credentialId: string): Promise<boolean> {
  const { rowCount } = await statements.query('SELECT FROM identity.passkey WHERE credential_id = $1', [
    credentialId,
  ]);
  return rowCount !== 0;
}

/** What a passkey is bound to: a browser offers it to pages of this origin only, and the authenticator signs both. */
export interface RelyingParty {
  /** A domain. Browsers refuse IP addresses. */
  id: string;
  origin: string;
}

export function relyingPartyOf({ main }: Origins): RelyingParty {
  return { id: new URL(main).hostname, origin: main };
}

/**
 * The library answers a passkey that it cannot verify, such as one of another origin, with a status of 500.
 * This turns it into a refusal, so that it is not logged as a failure.
 */
export async function asRefusal(response: Response): Promise<Response> {
  if (response.status !== 500) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  if (code !== PASSKEY_ERROR_CODES.FAILED_TO_VERIFY_REGISTRATION.code) return response;
  return Response.json(
    { code: 'PASSKEY_NOT_ACCEPTED', message: 'This passkey was not accepted. Please try again.' },
    { status: 400 },
  );
}
