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

/** Makes a trader a member with a virtual balance that lies in the pool's proxy wallet. */
export async function addCapital(
  owner: Owner,
  { poolId, traderId, usdt }: { poolId: string; traderId: string; usdt: number },
): Promise<string> {
  const memberId = await insertRow(owner, 'pool_member', { pooled_account_id: poolId, trader_id: traderId });
  await owner(
    `INSERT INTO ledger_account (kind, owner_id, asset)
     VALUES ('pool_capital', $2, 'USDT'), ('pool_proxy', $1, 'USDT') ON CONFLICT (kind, owner_id, asset) DO NOTHING`,
    [poolId, memberId],
  );
  await owner(
    `WITH journal AS (
       INSERT INTO journal (kind, source_type, source_id, actor_kind, actor_id, actor_name)
       VALUES ('pool_opened', 'pool_member', $2::uuid::text, 'system', 'test', 'test') RETURNING id)
     INSERT INTO posting (journal_id, account_id, asset, amount)
     SELECT j.id, a.id, 'USDT', CASE a.kind WHEN 'pool_proxy' THEN 1 ELSE -1 END * $3::numeric * 10::numeric ^ 18
     FROM ledger_account a CROSS JOIN journal j
     WHERE (a.kind, a.owner_id) IN (('pool_proxy', $1::uuid), ('pool_capital', $2::uuid))`,
    [poolId, memberId, usdt],
  );
  return memberId;
}
