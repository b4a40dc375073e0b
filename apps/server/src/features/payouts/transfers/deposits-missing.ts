import { LedgerError } from '@copydesk/domain/ledger';
import { Refusal } from '../../../platform/refusal.ts';

/** An amount missing from the books cannot be paid out and needs review. */
export async function translateOverdraft<T>(reserving: Promise<T>): Promise<T> {
  try {
    return await reserving;
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'overdrawn') throw new Refusal('deposits_missing');
    throw error;
  }
}
