import type { AuditValue } from '../audit/audit.ts';

/** A change that people made to their own account in the identity service's pages. */
export interface AccountChange {
  action:
    | 'user.password_changed'
    | 'user.password_reset'
    | 'user.second_factor_enabled'
    | 'user.second_factor_disabled'
    | 'user.backup_codes_renewed'
    | 'user.backup_code_used'
    | 'user.passkey_added'
    | 'user.renamed';
  user: { id: string; email: string };
  /** What the audit records of it. */
  after?: Record<string, AuditValue>;
}

/** Called after the change; must not throw. */
export type OnAccountChange = (change: AccountChange) => Promise<void>;
