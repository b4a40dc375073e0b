import { randomBytes } from 'node:crypto';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Statements } from '../../../db/statements.ts';
import type { PasskeyAssertion, PasskeyChallenge, Person } from '../../identity.ts';
import { verificationIdentifier } from '../../verification-identifier.ts';
import type { RelyingParty } from './passkey-plugin.ts';

const CHALLENGE_S = 300;

/** Attempts with passkeys are counted apart from passwords and codes: by user, across all calls. */
export const passkeyAccount = (userId: string) => `passkey of ${userId}`;

/** Passkeys as the proof of a person who is signed in already. The library's calls would start another session. */
export interface PasskeyProofs {
  /** A challenge for this session, good for one answer within five minutes. */
  challenge(person: Person): Promise<PasskeyChallenge>;
  /** Whether a passkey of this person signed a challenge of this session, having verified its user. */
  verify(person: Person, assertion: PasskeyAssertion): Promise<boolean>;
}

interface PasskeyRow {
  id: string;
  credential_id: string;
  public_key: string;
  counter: string;
  transports: string | null;
}

export function createPasskeyProofs(deps: {
  statements: Statements;
  relyingParty: RelyingParty;
  now: () => Date;
}): PasskeyProofs {
  const { statements, relyingParty, now } = deps;

  /** Used up by the first answer to it, right or wrong. */
  const consume = async ({ id, sessionId }: Person, challenge: string): Promise<boolean> => {
    const { rowCount } = await statements.query(
      'DELETE FROM identity.verification WHERE identifier = $1 AND value = $2 AND expires_at > $3',
      [identifierOf(sessionId, challenge), id, now()],
    );
    return rowCount === 1;
  };

  return {
    async challenge({ id, sessionId }) {
      const challenge = randomBytes(32).toString('base64url');
      const at = now();
      await statements.query(
        `INSERT INTO identity.verification (identifier, value, expires_at, created_at, updated_at)
         VALUES ($1, $2, $3::timestamptz + make_interval(secs => $4), $3, $3)`,
        [identifierOf(sessionId, challenge), id, at, CHALLENGE_S],
      );
      const { rows } = await statements.query<PasskeyRow>(
        'SELECT credential_id, transports FROM identity.passkey WHERE user_id = $1 ORDER BY created_at, id',
        [id],
      );
      const passkeys = rows.map((row) => ({ id: row.credential_id, transports: transportsOf(row) }));
      return { challenge, relyingPartyId: relyingParty.id, passkeys };
    },

    async verify(person, { id, clientData, authenticatorData, signature }) {
      const challenge = challengeIn(clientData);
      if (challenge === null || !(await consume(person, challenge))) return false;
      const { rows } = await statements.query<PasskeyRow>(
        'SELECT id, credential_id, public_key, counter, transports FROM identity.passkey WHERE credential_id = $1 AND user_id = $2',
        [id, person.id],
      );
      const [row] = rows;
      if (!row) return false;
      const result = await verifyAuthenticationResponse({
        response: {
          id,
          rawId: id,
          type: 'public-key',
          response: { clientDataJSON: clientData, authenticatorData, signature },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge,
        expectedOrigin: relyingParty.origin,
        expectedRPID: relyingParty.id,
        requireUserVerification: true,
        credential: {
          id: row.credential_id,
          publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64')),
          counter: Number(row.counter),
        },
        // It throws for everything but a wrong signature.
      }).catch(() => null);
      if (!result?.verified) return false;
      await statements.query(
        'UPDATE identity.passkey SET counter = greatest(counter, $2), last_used_at = $3 WHERE id = $1',
        [row.id, result.authenticationInfo.newCounter, now()],
      );
      return true;
    },
  };
}

const identifierOf = (sessionId: string, challenge: string) =>
  verificationIdentifier('passkey-proof', `${sessionId}:${challenge}`);

/** The challenge that an assertion says it answers; the signature covers it. */
function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

const transportsOf = ({ transports }: PasskeyRow) => transports?.split(',').filter(Boolean) ?? [];
