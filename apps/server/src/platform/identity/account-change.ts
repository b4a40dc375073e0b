/** What a person changed about its own account, in the identity service's own pages. */
export interface AccountChange {
  action:
    | 'user.password_changed'
    | 'user.password_reset'
    | 'user.second_factor_enabled'
    | 'user.second_factor_disabled'
    | 'user.backup_codes_renewed'
    | 'user.backup_code_used'
    | 'user.renamed';
  user: { id: string; email: string };
}

/** Told after the change was made; it must not throw. */
export type OnAccountChange = (change: AccountChange) => Promise<void>;
