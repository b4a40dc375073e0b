import { insertRow, type Owner } from './rows.ts';

/** A pool in its first cycle, without members. */
export async function addPool(
  owner: Owner,
  communityId: string,
  { status = 'stopped', step = 'trading' }: { status?: string; step?: string } = {},
): Promise<string> {
  const id = await insertRow(owner, 'pooled_account', {
    community_id: communityId,
    minimum_deposit_units: (100n * 10n ** 18n).toString(),
  });
  await insertRow(owner, 'harvest_cycle', { pooled_account_id: id, cycle_number: 1, status, step });
  return id;
}
