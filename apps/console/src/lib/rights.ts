import { type Capability, roleHas, type StaffRole } from '@copydesk/domain/access';
import { createContext, useContext } from 'react';

/** The rights of the reader, as far as screens depend on them. */
export interface Rights {
  super: boolean;
  providers: readonly { role: StaffRole }[];
}

/** Whether these rights include a capability, at one provider at least. The API decides about each record. */
export function can(rights: Rights, capability: Capability): boolean {
  return rights.super || rights.providers.some(({ role }) => roleHas(role, capability));
}

export const RightsContext = createContext<Rights>({ super: false, providers: [] });

export function useCan(capability: Capability): boolean {
  return can(useContext(RightsContext), capability);
}
