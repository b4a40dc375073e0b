import type { Statements } from '../../db/statements.ts';
import type { PasskeyAssertion, Person, Proof, Reauthenticated } from '../identity.ts';
import type { Auth } from './auth-instance.ts';
import { type PasskeyProofs, passkeyAccount } from './passkeys/passkey-proofs.ts';
import type { VerifyCode } from './second-factor/second-factor.ts';
import { restartSession } from './sessions/session-renewal.ts';
import { readTokenClaims } from './sessions/token-claims.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** Authenticates a signed-in person again and records it on the session. */
export function createReauthenticate(deps: {
  statements: Statements;
  auth: Auth;
  throttle: SignInThrottle;
  verifyCode: VerifyCode;
  passkeys: PasskeyProofs;
  maxSessionS: number;
  now: () => Date;
}) {
  const { statements, auth, throttle, verifyCode, passkeys, now } = deps;

  const checkPassword = async (
    person: Person,
    password: string,
    address: string,
  ): Promise<Reauthenticated | null> => {
    const attempt = { account: person.email, address };
    const waitSeconds = await throttle.take(attempt);
    if (waitSeconds !== null) return { ok: false, code: 'too_many_attempts', waitSeconds };
    const { rows } = await statements.query<{ password: string | null }>(
      `SELECT password FROM identity.account WHERE user_id = $1 AND provider_id = 'credential'`,
      [person.id],
    );
    const hash = rows[0]?.password;
    if (!hash || !(await (await auth.$context).password.verify({ hash, password })))
      return { ok: false, code: 'reauthentication_failed' };
    await throttle.clear(attempt);
    return null;
  };

  const checkCode = async (
    person: Person,
    code: string,
    address: string,
  ): Promise<Reauthenticated | null> => {
    const verdict = await verifyCode({ userId: person.id, code, address });
    if (verdict.ok) return null;
    if ('waitSeconds' in verdict) return { ...verdict, code: 'too_many_attempts' };
    return {
      ok: false,
      code: verdict.why === 'used' ? 'reauthentication_code_used' : 'reauthentication_failed',
    };
  };

  const checkPasskey = async (
    person: Person,
    assertion: PasskeyAssertion,
    address: string,
  ): Promise<Reauthenticated | null> => {
    const attempt = { account: passkeyAccount(person.id), address };
    const waitSeconds = await throttle.take(attempt);
    if (waitSeconds !== null) return { ok: false, code: 'too_many_attempts', waitSeconds };
    if (!(await passkeys.verify(person, assertion))) return { ok: false, code: 'reauthentication_failed' };
    await throttle.clear(attempt);
    return null;
  };

  const check = (person: Person, proof: Proof, address: string): Promise<Reauthenticated | null> => {
    if ('passkey' in proof) return checkPasskey(person, proof.passkey, address);
    if ('code' in proof) return checkCode(person, proof.code, address);
    return checkPassword(person, proof.password, address);
  };

  return async (person: Person, proof: Proof, address: string): Promise<Reauthenticated> => {
    if (!isAccepted(person, proof)) return { ok: false, code: 'reauthentication_method' };
    const refused = await check(person, proof, address);
    if (refused) return refused;
    // A passkey is both: something that the person has, and a PIN, a fingerprint or a face.
    await statements.query(
      `UPDATE identity.session SET
         authenticated_at = CASE WHEN $3 THEN $5 ELSE authenticated_at END,
         second_factor_at = CASE WHEN $4 THEN $5 ELSE second_factor_at END
       WHERE id = $1 AND user_id = $2`,
      [person.sessionId, person.id, !('code' in proof), !('password' in proof), now()],
    );
    await restartSession(deps, { sessionId: person.sessionId, userId: person.id });
    const claims = await readTokenClaims(statements, person.sessionId, now());
    const { token } = await auth.api.signJWT({ body: { payload: { ...claims, sub: person.id } } });
    return { ok: true, token };
  };
}

/** A password proves only an account without second factors. */
function isAccepted({ factors: { enrolled, hasSecondFactor } }: Person, proof: Proof): boolean {
  if ('passkey' in proof) return enrolled.includes('passkey');
  if ('code' in proof) return enrolled.includes('app');
  return !hasSecondFactor;
}
