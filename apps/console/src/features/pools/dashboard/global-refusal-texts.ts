import { ApiError, messageOf } from '../../../lib/api/api-error.ts';

/**
 * The meaning of a start or stop of all pools that failed (super-admin spec, section 8). What the server refused has
 * changed nothing; without its answer nothing is known.
 */
export function globalRefusalWords(error: unknown): string {
  const refusal = error instanceof ApiError ? error : null;
  if (refusal?.status === 404 || /not yet implemented/i.test(refusal?.message ?? ''))
    return 'The global controls are not available. Manage the pools individually.';
  if (
    refusal === null ||
    refusal.status === 0 ||
    refusal.status >= 500 ||
    refusal.code === 'idempotency_in_flight'
  )
    return `${messageOf(error)} It may have begun: look at the pools before you try again. Trying again here does not begin it twice.`;
  const isPending = refusal.code === 'pending_operations';
  return `${messageOf(error)} Nothing has changed${isPending ? ': all gates stay as they were' : ''}.`;
}
