import type { RefusalKind } from '@copydesk/contract/audit';

/** Kinds of refused attempts in words. */
export const REFUSAL_KINDS: Record<RefusalKind, string> = {
  access: 'Access denied',
  authentication: 'Sign-in refused',
  reauthentication: 'Confirmation failed',
  four_eyes: 'Four eyes',
  rate: 'Too many attempts',
};
