import type { Person, Principal } from '../identity/identity.ts';
import { Refusal } from '../refusal.ts';

/**
 * The caller as a person, unless a super admin views as someone else: personal settings are for their owner
 * only.
 * @throws Refusal `person_required`
 */
export function ownPerson(principal: Principal, message: string): Person {
  if (principal.kind !== 'user' || principal.impersonator) throw new Refusal('person_required', { message });
  return principal;
}
