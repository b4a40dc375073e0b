import type { LedgerAccount } from '@copydesk/domain/ledger';
import { expect } from 'vitest';
import { listMismatches } from '../../../apps/server/src/core/ledger/mismatches.views.ts';
import { ALL, type LedgerWorld } from './ledger-world.ts';

/** Checked against PostgreSQL without the code under test, and with it. */
export async function expectSound(world: LedgerWorld): Promise<void> {
  const [sums] = await world.asOwner<Record<string, string>>(`SELECT
    (SELECT coalesce(sum(amount), 0)::text FROM posting) AS postings,
    (SELECT count(*)::text FROM ledger_balance WHERE NOT allow_negative AND posted - pending < 0) AS overdrawn,
    (SELECT count(*)::text FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id WHERE b.posted <>
      (SELECT coalesce(sum(p.amount * a.side), 0) FROM posting p WHERE p.account_id = a.id)) AS unlike_postings,
    (SELECT count(*)::text FROM ledger_balance b WHERE b.pending <> (SELECT coalesce(sum(r.amount), 0)
      FROM ledger_reservation r LEFT JOIN ledger_reservation_end e ON e.reservation_id = r.id
      WHERE r.account_id = b.account_id AND e.reservation_id IS NULL)) AS unlike_reservations`);
  expect(sums).toEqual({ postings: '0', overdrawn: '0', unlike_postings: '0', unlike_reservations: '0' });
  expect(await world.db.read(ALL, (tx) => listMismatches(tx, null))).toEqual([]);
}

export async function balanceOf(world: LedgerWorld, account: LedgerAccount): Promise<bigint> {
  const [row] = await world.asOwner<{ posted: string }>(
    `SELECT posted::text FROM ledger_balance JOIN ledger_account ON id = account_id WHERE kind = $1 AND owner_id = $2`,
    [account.kind, account.ownerId],
  );
  return BigInt(row?.posted ?? 0);
}
