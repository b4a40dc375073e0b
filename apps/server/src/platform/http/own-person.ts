import type { Person, Principal } from '../identity/identity.ts';
import { Refusal } from '../refusal.ts';

/**
 * The caller, unless a super admin views as another person: what a person keeps is that person's own.
 * @throws Refusal `person_required`
 */
export function ownPerson(principal: Principal, message: string): Person {
  if (principal.kind !== 'user' || principal.impersonator) throw new Refusal('person_required', { message });
  return principal;
}
