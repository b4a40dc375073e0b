import { ApiError } from '../../../../lib/api-error.ts';

/** The reason why connecting an account failed (console spec, section 8). */
export function connectFailure(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) return 'Network error occurred';
  return error instanceof Error && error.message ? `Setup failed: ${error.message}` : 'Setup failed';
}
