/** What people may do, as one role: the list of people can be narrowed to it. */
export const USER_ROLES = ['super', 'staff', 'no_access', 'not_admin'] as const;

/** What state an account is in. Unconfirmed: a super admin whom no other one has confirmed. */
export const USER_STATES = ['active', 'invited', 'disabled', 'unconfirmed'] as const;
