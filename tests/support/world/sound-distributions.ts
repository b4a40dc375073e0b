import { expect } from 'vitest';
import type { OwingWorld } from './owing-world.ts';
import { findUnsound } from './sound-invoices.ts';

/** Checks invariants: the books, and the reservations of each share and each payout. */
export async function expectSoundDistributions(world: Pick<OwingWorld, 'owner'>): Promise<void> {
  expect(await findUnsound(world)).toEqual({});
  const [row] = await world.owner<Record<string, string>>(`SELECT
    (SELECT count(*)::text FROM ledger_balance WHERE NOT allow_negative AND posted < pending) AS promised_twice,
    (SELECT count(*)::text FROM payout o WHERE o.distribution_id IS NOT NULL AND coalesce(o.problem, '') NOT IN
      ('declined', 'sent_again') AND o.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y
        WHERE y.payout_id = o.id)) AS unlike_shares,
    (SELECT count(*)::text FROM payout o WHERE o.distribution_id IS NOT NULL AND o.status <> 'distributed' AND
      CASE WHEN o.problem IN ('declined', 'sent_again') THEN 0 ELSE o.amount_units END <> (
        SELECT coalesce(sum(r.amount), 0) FROM ledger_reservation r WHERE r.source_type = 'payout'
          AND r.source_id = o.id::text AND NOT EXISTS (SELECT FROM ledger_reservation_end e
            WHERE e.reservation_id = r.id))) AS unlike_reserved,
    (SELECT count(*)::text FROM transfer i WHERE i.kind = 'consolidate' AND i.state IN ('planned', 'sent') AND
      i.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y
        WHERE y.consolidation_id = i.id)) AS unlike_consolidated,
    (SELECT count(*)::text FROM transfer i WHERE i.kind = 'consolidate' AND i.state IN ('planned', 'sent') AND
      i.amount_units IS DISTINCT FROM (SELECT sum(r.amount) FROM ledger_reservation r
        WHERE r.source_type = 'transfer' AND r.source_id = i.id::text AND NOT EXISTS (
          SELECT FROM ledger_reservation_end e WHERE e.reservation_id = r.id))) AS deposits_not_reserved`);
  expect(Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== '0'))).toEqual({});
}
