import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { ApiError } from '../../../platform/http/api-error.ts';
import type { Person, Principal, Proof } from '../../../platform/identity/identity.ts';
import { findPersona } from '../set-up/demo-personas.ts';

/** The caller, where a service has no business. The gate lets none in; its type does not know. */
export function personOf(principal: Principal): Person {
  if (principal.kind !== 'user') throw new ApiError('person_required');
  return principal;
}

/** How a person proves who it is: by its strongest way, and personas by one click where that is offered. */
export function provesBy(
  person: Person,
  hasOneClick: boolean,
): CallAnswer<'GET /api/me'>['data']['reauthenticates_by'] {
  if (person.factors.hasSecondFactor) return 'code';
  return hasOneClick && findPersona(person) ? 'one_click' : 'password';
}

/** What a request proves its caller by; null: a click that is not offered here. */
export function proofIn(
  { password, code }: CallParsed<'POST /api/reauthenticate'>['body'],
  oneClick: () => string | null,
): Proof | null {
  if (code !== undefined) return { code };
  const secret = password ?? oneClick();
  return secret === null ? null : { password: secret };
}
