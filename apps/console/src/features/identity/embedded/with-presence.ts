import { ApiError, notConfirmed } from '../../../lib/api/api-error.ts';
import { confirmPresence } from './presence.ts';

/**
 * Repeats a call of the identity library once, after the person has authenticated again, where the server wants that.
 * The client of our API does the same for calls of ours.
 */
export async function withPresence<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'REAUTHENTICATION_REQUIRED') throw error;
    if (!(await confirmPresence())) throw notConfirmed();
    return work();
  }
}
