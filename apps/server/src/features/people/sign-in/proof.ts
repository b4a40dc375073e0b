import type { CallAnswer, CallParsed } from '@copydesk/contract';
import type { Person, Principal, Proof } from '../../../platform/identity/identity.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findPersona } from '../set-up/demo-personas.ts';

/** The calling person, for calls not open to services. The gate refuses services; its type does not show it. */
export function personOf(principal: Principal): Person {
  if (principal.kind !== 'user') throw new Refusal('person_required');
  return principal;
}

/** The strongest proofs available to a person; for personas one click, if enabled. */
export function provesBy(
  person: Person,
  hasOneClick: boolean,
): CallAnswer<'GET /api/me'>['data']['reauthenticates_by'] {
  const { enrolled, hasSecondFactor } = person.factors;
  if (enrolled.includes('passkey')) return enrolled.includes('app') ? 'code_or_passkey' : 'passkey';
  if (hasSecondFactor) return 'code';
  return hasOneClick && findPersona(person) ? 'one_click' : 'password';
}

/** The proof in a request; null: a click that is not enabled here. */
export function proofIn(
  { password, code, passkey }: CallParsed<'POST /api/reauthenticate'>['body'],
  oneClick: () => string | null,
): Proof | null {
  if (code !== undefined) return { code };
  if (passkey !== undefined) {
    const { id, client_data: clientData, authenticator_data: authenticatorData, signature } = passkey;
    return { passkey: { id, clientData, authenticatorData, signature } };
  }
  const secret = password ?? oneClick();
  return secret === null ? null : { password: secret };
}
