import { passkey } from '@better-auth/passkey';
import type { Statements } from '../../db/statements.ts';
import { PASSKEY_SCHEMA } from './auth-columns.ts';
import { refusals } from './auth-refusals.ts';
import type { RelyingParty } from './relying-party.ts';

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
