import { ApiError, messageOf } from '../../../lib/api-error.ts';

/** The meaning of a refused start or stop of all pools (super-admin spec, section 8). It has changed nothing. */
export function globalRefusalWords(error: unknown): string {
  const refusal = error instanceof ApiError ? error : null;
  if (refusal?.status === 404 || /not yet implemented/i.test(refusal?.message ?? ''))
    return 'The global controls are not available. Manage the pools individually.';
  const isPending = refusal?.code === 'pending_operations';
  return `${messageOf(error)} Nothing has changed${isPending ? ': all gates stay as they were' : ''}.`;
}
