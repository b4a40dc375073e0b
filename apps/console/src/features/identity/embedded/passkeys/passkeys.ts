import type { CallInput } from '@copydesk/contract';
import {
  type AuthenticatorTransportFuture,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { call } from '../../../../lib/api/api.ts';
import { authClient, unwrap } from '../auth-client.ts';
import { withRecentAuth } from '../recent-auth.ts';
import { passkeyFailure } from './passkey-failure.ts';

type Assertion = NonNullable<CallInput<'POST /api/reauthenticate'>['body']['passkey']>;

/** Adds a passkey to the account. Asks the person to authenticate again first, where that was too long ago. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await withRecentAuth(() =>
    unwrap(
      authClient.$fetch<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options', {
        method: 'GET',
      }),
    ),
  );
  await inWords(async () => {
    const response = await startRegistration({ optionsJSON });
    await unwrap(
      authClient.$fetch<{ id: string }>('/passkey/verify-registration', {
        method: 'POST',
        body: { response, name },
      }),
    );
  });
}

/** Signs in as the person whose passkey the device offers. */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await unwrap(
    authClient.$fetch<PublicKeyCredentialRequestOptionsJSON>('/passkey/generate-authenticate-options', {
      method: 'GET',
    }),
  );
  await inWords(async () => {
    const response = await startAuthentication({ optionsJSON });
    await unwrap(
      authClient.$fetch<{ user: object }>('/passkey/verify-authentication', {
        method: 'POST',
        body: { response },
      }),
    );
  });
}

/** Has a passkey of the account sign a challenge of this session, as the proof of a reauthentication. */
export async function signChallenge(): Promise<Assertion> {
  const { data } = await call('POST /api/reauthenticate/passkey');
  const { id, response } = await inWords(() =>
    startAuthentication({
      optionsJSON: {
        challenge: data.challenge,
        rpId: data.relying_party_id,
        userVerification: 'required',
        allowCredentials: data.passkeys.map((passkey) => ({
          id: passkey.id,
          type: 'public-key',
          transports: passkey.transports as AuthenticatorTransportFuture[],
        })),
      },
    }),
  );
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, client_data: clientDataJSON, authenticator_data: authenticatorData, signature };
}

async function inWords<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony();
  } catch (error) {
    throw passkeyFailure(error);
  }
}
