import type { Statements } from '../../db/statements.ts';
import type { Person, Proof, Reauthenticated } from '../identity.ts';
import type { Auth } from './auth-instance.ts';
import type { VerifyCode } from './second-factor.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import { readTokenClaims } from './token-claims.ts';

/** Authenticates a signed-in person again and records it on the session. */
export function createReauthenticate(deps: {
  statements: Statements;
  auth: Auth;
  throttle: SignInThrottle;
  verifyCode: VerifyCode;
  now: () => Date;
}) {
  const { statements, auth, throttle, verifyCode, now } = deps;

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

  return async (person: Person, proof: Proof, address: string): Promise<Reauthenticated> => {
    const { hasSecondFactor } = person.factors;
    if ('code' in proof !== hasSecondFactor) return { ok: false, code: 'reauthentication_method' };
    const refused =
      'code' in proof
        ? await checkCode(person, proof.code, address)
        : await checkPassword(person, proof.password, address);
    if (refused) return refused;
    await statements.query(
      `UPDATE identity.session SET
         authenticated_at = CASE WHEN $3 THEN authenticated_at ELSE $4 END,
         second_factor_at = CASE WHEN $3 THEN $4 ELSE second_factor_at END
       WHERE id = $1 AND user_id = $2`,
      [person.sessionId, person.id, hasSecondFactor, now()],
    );
    const claims = await readTokenClaims(statements, person.sessionId, now());
    const { token } = await auth.api.signJWT({ body: { payload: { ...claims, sub: person.id } } });
    return { ok: true, token };
  };
}
