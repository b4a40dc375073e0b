import { ApiError } from '../../../../lib/api-error.ts';

/** The reason why connecting an account failed (console spec, section 8). */
export function connectFailure(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) return 'Network error occurred';
  if (isReasonAsked(error)) return error.message;
  return error instanceof Error && error.message ? `Setup failed: ${error.message}` : 'Setup failed';
}

/** The key works, and may withdraw: it is connected once there is a reason. */
export const isReasonAsked = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'key_may_withdraw';
