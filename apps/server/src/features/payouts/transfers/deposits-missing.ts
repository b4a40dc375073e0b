import { LedgerError } from '@copydesk/domain';
import { ApiError } from '../../../platform/http/api-error.ts';

/** What the books do not hold cannot be paid out: somebody has to find out where it went. */
export async function translateOverdraft<T>(reserving: Promise<T>): Promise<T> {
  try {
    return await reserving;
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'overdrawn') throw new ApiError('deposits_missing');
    throw error;
  }
}
