/** Access as one role, by which the list of people is filtered. */
export const USER_ROLES = ['super', 'staff', 'no_access', 'not_admin'] as const;

/** States of an account. Unconfirmed: a super admin without confirmation by another one. */
export const USER_STATES = ['active', 'invited', 'disabled', 'unconfirmed'] as const;
