import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDyingDatabase } from '../../../../../../tests/support/dying-database.ts';
import { WORKER } from '../../../../../../tests/support/world/invoicing.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import type { SmallTrader } from '../../../../../../tests/support/world/traders.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { bookPayments } from '../payments/payments.service.ts';
import { beginInvoicing } from './invoicing.jobs.ts';
import { takeInvoicingTurn } from './invoicing-turn.ts';

/** No run or booking of these tests takes more statements than this. */
const MOST_STATEMENTS = 200;

let world: InvoicingWorld;
beforeAll(async () => {
  world = await createInvoicingWorld();
});
afterAll(() => world.close());

/** A run whose worker died is up for another one at once, instead of after its lease. */
const forgetLeases = () => world.owner('UPDATE invoicing_run SET leased_until = NULL');
const messagesOf = (traderId: string, kind: string) =>
  world.owner('SELECT FROM message WHERE trader_id = $1 AND kind = $2', [traderId, kind]);

/** Does something in a process that dies at its n-th statement, for every n until it survives. */
async function dieAtEach(
  when: 'before' | 'after',
  attempt: (db: ReturnType<typeof createDyingDatabase>['db'], n: number) => Promise<unknown>,
  check: (n: number) => Promise<void>,
): Promise<number> {
  for (let n = 1; n <= MOST_STATEMENTS; n++) {
    const dying = createDyingDatabase(world.ownerUrl, { at: n, when });
    await attempt(dying.db, n).catch(() => {});
    const survived = dying.sent() < n;
    await dying.db.close().catch(() => {});
    await check(n);
    if (survived) return n - 1;
  }
  throw new Error(`more than ${MOST_STATEMENTS} statements`);
}

test.each(['before', 'after'] as const)(
  'a run that dies %s any of its statements invoices everything once',
  {
    timeout: 600_000,
  },
  async (when) => {
    let trader: SmallTrader;
    const deaths = await dieAtEach(
      when,
      async (db) => {
        trader = await world.addTrader();
        await world.addPositions(trader, '10', '20');
        await beginInvoicing(world.db);
        await takeInvoicingTurn(world.turnDeps(db));
      },
      async (n) => {
        await forgetLeases();
        await world.invoice();
        const invoices = await world.invoicesOf(trader.id);
        expect(
          invoices.map((i) => [i.amount, i.positions]),
          `died at ${n}`,
        ).toEqual([[usdt(15).toString(), 2]]);
        expect(await messagesOf(trader.id, 'invoice_created'), `died at ${n}`).toHaveLength(1);
      },
    );
    expect(deaths).toBeGreaterThan(15);
    console.log(`${deaths} deaths ${when} a statement of a run`);
    expect(await findUnsound(world)).toEqual({});
  },
);

test.each(['before', 'after'] as const)(
  'a booking that dies %s any of its statements is booked once',
  {
    timeout: 600_000,
  },
  async (when) => {
    let trader: SmallTrader;
    // It pays the invoice in full and leaves a tip: every step of a booking is taken.
    const payment = (n: number) => ({
      traderId: trader.id,
      units: usdt(4),
      source: { type: 'deposit', id: `${when} ${n}` },
      transactionHash: null,
      receivedAt: new Date(),
    });
    const deaths = await dieAtEach(
      when,
      async (db, n) => {
        trader = await world.addTrader();
        await world.addPositions(trader, '2', '4');
        await world.invoice();
        await db.write(WHOLE_SCOPE, WORKER, (tx) => bookPayments(tx, [payment(n)]));
      },
      async (n) => {
        // Whoever saw the payment tells it again until it is known to be booked.
        for (let again = 0; again < 2; again++) await world.pay(trader.id, usdt(4), payment(n).source);
        const invoices = await world.invoicesOf(trader.id);
        expect(
          invoices.map((i) => [i.status, i.paid]),
          `died at ${n}`,
        ).toEqual([['paid', usdt(4).toString()]]);
        expect(await messagesOf(trader.id, 'invoice_paid'), `died at ${n}`).toHaveLength(1);
      },
    );
    expect(deaths).toBeGreaterThan(15);
    console.log(`${deaths} deaths ${when} a statement of a booking`);
    expect(await findUnsound(world)).toEqual({});
  },
);
