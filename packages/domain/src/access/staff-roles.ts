/**
 * What staff may do at a provider. Every contract entry for staff names one. Reading is part of every role: figures are
 * kept for the providers that a person sees, not for each capability.
 */
export const CAPABILITIES = [
  'directory:read',
  'traders:read',
  'invoices:read',
  'traders:write',
  'accounts:write',
  'secrets:reveal',
  'data:export',
  'people:read',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

const READ = ['directory:read', 'traders:read', 'invoices:read'] as const;
/** Exactly what the console gives staff of a provider unless they have another role (console spec, section 6). */
const STAFF = [...READ, 'traders:write', 'accounts:write', 'secrets:reveal', 'data:export'] as const;

/** The capabilities of each role that a person can have at a provider, from least to most. */
export const STAFF_ROLES = {
  viewer: READ,
  finance: [...READ, 'data:export'],
  operator: [...READ, 'traders:write', 'accounts:write'],
  staff: STAFF,
  owner: [...STAFF, 'people:read'],
} as const satisfies Record<string, readonly Capability[]>;

export type StaffRole = keyof typeof STAFF_ROLES;
export const STAFF_ROLE_NAMES = Object.keys(STAFF_ROLES) as StaffRole[];

/** The role of staff without another one. */
export const DEFAULT_STAFF_ROLE = 'staff' satisfies StaffRole;

/** Whether a role has a capability; null, which is no access, has none. */
export function roleHas(role: StaffRole | null, capability: Capability): boolean {
  return role !== null && (STAFF_ROLES[role] as readonly Capability[]).includes(capability);
}
