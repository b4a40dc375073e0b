import { scaleSplit } from '@copydesk/domain/invoices';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { sql } from 'kysely';
import { lockTraders } from '../../../core/traders/lock-traders.store.ts';
import type { Database, WriteTx } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { endDeduction, findDeductionTrader, findOvercharge, insertDeduction } from './deductions.store.ts';
import {
  findDifferenceTrader,
  listDifferences,
  listOpenDeductions,
  type SeenDifference,
} from './differences.views.ts';

const DEFAULT_PAGE = 25;

type DifferenceRoutes = Pick<
  Handlers,
  `${string} /api/invoices/${'differences' | 'deductions'}${string}` & keyof Handlers
>;

export function createDifferenceRoutes({ db }: { db: Database }): DifferenceRoutes {
  return {
    'GET /api/invoices/differences': async ({ query: { limit = DEFAULT_PAGE, offset = 0 }, scope }) => ({
      success: true,
      ...(await db.readAny(scope, (tx) => listDifferences(tx, { limit, offset }))),
    }),

    'POST /api/invoices/differences/dismiss': async ({ body: { kind, id, seen }, scope, actor }) => {
      await db.write(scope, actor, async (tx) => {
        const traderId = await decide(tx, { kind, id, seen });
        tx.audit({
          action: 'invoice.difference_dismissed',
          target: { kind: 'trader', id: traderId },
          after: { kind, seen },
        });
      });
      return { success: true, data: { kind, id } };
    },

    'POST /api/invoices/differences/deduct': ({ body: { kind, id, seen }, once }) =>
      once(async (tx) => {
        const traderId = await decide(tx, { kind, id, seen });
        const over = await findOvercharge(tx, kind, { id, seen });
        if (!over || over.units <= 0n) throw new Refusal('nothing_to_deduct');
        const split = scaleSplit(over.split, over.units);
        await insertDeduction(tx, { kind, id, seen }, { ...over, split });
        tx.audit({
          action: 'invoice.difference_deducted',
          target: { kind: 'trader', id: traderId },
          after: { kind, seen, units: over.units.toString(), invoice_id: over.invoiceId },
        });
        return { success: true, data: { kind, id, amount: unitsToDecimal(over.units) } };
      }),

    'GET /api/invoices/deductions': async ({ query: { limit = DEFAULT_PAGE, offset = 0 }, scope }) => ({
      success: true,
      ...(await db.readAny(scope, (tx) => listOpenDeductions(tx, { limit, offset }))),
    }),

    'POST /api/invoices/deductions/{id}/end': ({ params: { id }, body: { left }, once }) =>
      once(async (tx) => {
        const traderId = await findDeductionTrader(tx, id);
        if (!traderId) throw new Refusal('not_found');
        await lockTraders(tx, [traderId]);
        const units = await endDeduction(tx, id);
        // An invoice has used it since, or another person ended it.
        if (units !== decimalToUnits(left) || units === 0n) throw new Refusal('changed_meanwhile');
        tx.audit({
          action: 'invoice.deduction_ended',
          target: { kind: 'trader', id: traderId },
          after: { deduction_id: id, units: units.toString() },
        });
        return { success: true, data: { id, ended: unitsToDecimal(units) } };
      }),
  };
}

/**
 * Notes that a difference is decided, once of two decisions at once. Its trader is locked.
 * @returns the trader
 * @throws Refusal `not_found` when it is decided, or not as it was seen any more
 */
async function decide(tx: WriteTx, difference: SeenDifference): Promise<string> {
  const traderId = await findDifferenceTrader(tx, difference);
  if (!traderId) throw new Refusal('not_found');
  await lockTraders(tx, [traderId]);
  const { kind, id, seen } = difference;
  const { rows } = await sql`
    INSERT INTO difference_decision (kind, subject_id, seen, decided_by, decided_by_id)
    VALUES (${kind}, ${id}, ${seen}, ${tx.actor.name}, ${tx.actor.id}) ON CONFLICT DO NOTHING
    RETURNING 1`.execute(tx.sql);
  if (rows.length === 0) throw new Refusal('not_found');
  return traderId;
}
