import { ApiError, notConfirmed } from '../../../lib/api/api-error.ts';
import { confirmRecentAuth } from './recent-auth.ts';

/**
 * Repeats a call of the identity library once, after the person has authenticated again, where the server wants that.
 * The client of our API does the same for calls of ours.
 */
export async function withRecentAuth<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'REAUTHENTICATION_REQUIRED') throw error;
    if (!(await confirmRecentAuth())) throw notConfirmed();
    return work();
  }
}
