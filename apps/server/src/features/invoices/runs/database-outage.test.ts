import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFailingDatabase } from '../../../../../../tests/support/failing-database.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { markDatabaseError } from '../../../platform/db/connection/outage.ts';
import { beginInvoicing } from './invoicing.jobs.ts';
import { takeInvoicingTurn } from './invoicing-turn.ts';

let world: InvoicingWorld;
beforeAll(async () => {
  world = await createInvoicingWorld();
});
afterAll(() => world.close());

const failing = (code: string) => Object.assign(new Error(code), { code });
/** What a trader is to blame for. */
const REFUSED = failing('22003');

const failingAt = (writes: readonly (Error | null)[]) => createFailingDatabase(world.db, { writes });

async function traderDue() {
  const trader = await world.addTrader();
  await world.addPositions(trader, '10', '20');
  await beginInvoicing(world.db);
  return trader;
}
const problemsOf = (traderId: string) =>
  world.owner('SELECT reason FROM invoicing_line WHERE trader_id = $1 AND reason IS NOT NULL', [traderId]);

test.each([
  markDatabaseError(failing('EAI_AGAIN')),
  failing('53300'),
  failing('57P03'),
  failing('25006'),
  new Error('Connection terminated: the database was silent for 20 s'),
])('an outage of the database ends no run and blames no trader: %s', async (outage) => {
  const trader = await traderDue();
  // The run is claimed; its batch is refused, and the database is away when the trader is tried alone.
  const deps = world.turnDeps(failingAt([null, REFUSED, outage]));
  await expect(takeInvoicingTurn(deps)).rejects.toBe(outage);
  expect(await world.invoicesOf(trader.id)).toEqual([]);
  // The next turn goes on, although the lease of the run has not ended.
  expect(await takeInvoicingTurn(deps)).toBe(true);
  expect(await world.invoicesOf(trader.id)).toHaveLength(1);
  expect(await problemsOf(trader.id)).toEqual([]);
});

test('a trader whose statements wait for a lost transaction is tried for as long as that keeps its locks', async () => {
  const trader = await traderDue();
  const late = failing('57014');
  expect(await takeInvoicingTurn(world.turnDeps(failingAt([null, late, late, late])))).toBe(true);
  expect(await world.invoicesOf(trader.id)).toHaveLength(1);
  expect(await problemsOf(trader.id)).toEqual([]);
});

test('a trader that is to blame is skipped and reported', async () => {
  const trader = await traderDue();
  expect(await takeInvoicingTurn(world.turnDeps(failingAt([null, REFUSED, REFUSED])))).toBe(true);
  expect(await problemsOf(trader.id)).toEqual([{ reason: 'failed' }]);
});
