import { newAddress } from './addresses.ts';
import { insertRow, type Owner } from './rows.ts';

/** An imported payout of a community: no distribution ordered it, and the ledger knows nothing of it. */
export const addPayout = (owner: Owner, communityId: string, changes: Record<string, unknown> = {}) =>
  insertRow(owner, 'payout', {
    community_id: communityId,
    recipient_type: 'mark',
    recipient_address: newAddress(),
    amount_units: 1n,
    ...changes,
  });
