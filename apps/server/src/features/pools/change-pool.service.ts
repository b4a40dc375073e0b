import type { CallParsed } from '@copydesk/contract';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { raisedBreaker } from '@copydesk/domain/pools';
import { requireSeen } from '../../platform/audit/seen-version.ts';
import { violatedUnique } from '../../platform/db/connection/connection.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findHoldings } from './pool-capital.views.ts';
import { findSettingsForUpdate, ONE_HOLDER, type PoolSettings, updateSettings } from './pools.store.ts';

/** Since this pool was switched off, its account may belong to another pool or a trader. */
const TAKEN_MEANWHILE =
  'The exchange account of this pool was connected elsewhere while it was inactive. Disconnect it there first.';

type PoolChanges = CallParsed<'PUT /api/pooled-accounts/{id}'>['body'];

/**
 * Applies the differences and writes one audit entry for them. A pool that is switched off releases its
 * exchange account, and takes it back once it is switched on.
 * @throws Refusal `not_found`, `changed_meanwhile`; `pool_has_money`, `invalid_status` for a pool that cannot become
 * inactive yet; `order_waits` for one whose connection another super admin has not approved;
 * `exchange_account_taken` when a trader or another pool holds the account of a pool that is switched on
 */
export async function changePool(
  tx: WriteTx,
  id: string,
  { version: seen, minimum_deposit: minimum, ...wanted }: PoolChanges,
): Promise<void> {
  const found = await findSettingsForUpdate(tx, id);
  if (!found) throw new Refusal('not_found');
  const { community_id: communityId, isApproved, breakerRaises: earlier, version, ...current } = found;
  const after: PoolSettings = {
    ...current,
    ...wanted,
    ...(minimum === undefined ? {} : { minimum_deposit_units: String(decimalToUnits(minimum)) }),
  };
  const target = { kind: 'pool', id };
  const given = { ...wanted, ...(minimum !== undefined && { minimum_deposit: minimum }) };
  const present = { ...current, minimum_deposit: unitsToDecimal(BigInt(current.minimum_deposit_units)) };
  await requireSeen(tx, { target, actions: ['pool.changed'], seen, version, present, wanted: given });
  const names = (Object.keys(after) as (keyof PoolSettings)[]).filter(
    (name) => after[name] !== current[name],
  );
  if (names.length === 0) return;
  if (after.is_active && !isApproved) throw new Refusal('order_waits');
  if (current.is_active && !after.is_active) {
    const { hasMoney, isCycleOpen } = await findHoldings(tx, communityId);
    if (hasMoney) throw new Refusal('pool_has_money');
    if (isCycleOpen) throw new Refusal('invalid_status');
  }
  const breakerRaises = raisedBreaker(tx.actor.id, {
    before: current.max_drawdown_percentage,
    after: after.max_drawdown_percentage,
    earlier,
  });
  try {
    await updateSettings(tx, id, { ...after, breakerRaises });
  } catch (error) {
    if (violatedUnique(error) === ONE_HOLDER)
      throw new Refusal('exchange_account_taken', { message: TAKEN_MEANWHILE });
    throw error;
  }
  const pick = (from: PoolSettings) => Object.fromEntries(names.map((name) => [name, from[name]]));
  tx.audit({
    action: 'pool.changed',
    target,
    before: pick(current),
    after: pick(after),
  });
}
