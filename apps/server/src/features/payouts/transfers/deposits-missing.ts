import { LedgerError } from '@copydesk/domain/ledger';
import { ApiError } from '../../../platform/http/api-error.ts';

/** An amount missing from the books cannot be paid out and needs review. */
export async function translateOverdraft<T>(reserving: Promise<T>): Promise<T> {
  try {
    return await reserving;
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'overdrawn') throw new ApiError('deposits_missing');
    throw error;
  }
}
