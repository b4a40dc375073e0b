import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../tests/support/world/invoicing-world.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';
import { remindOfInvoices } from './reminders.jobs.ts';

let world: InvoicingWorld;
beforeAll(async () => {
  world = await createInvoicingWorld();
});
afterAll(() => world.close());

const traderAs = async (persona: 'super' | 'staff', id: string) => {
  const token = await world.signIn(persona);
  const answer = await send(world.app, 'GET /api/traders/{id}', { params: { id } }, token);
  return answer.json().data as { status: string; suggested_delinquent_at: string | null };
};

/** A trader whose invoice, of its own provider, was due an hour ago. */
async function traderOverdue(providerId?: string) {
  const trader = await world.addTrader(providerId ? { selected_provider_id: providerId } : {});
  await world.addPositions(trader, '20');
  await world.invoice();
  await world.owner("UPDATE invoice SET due_at = now() - interval '1 hour' WHERE trader_id = $1", [
    trader.id,
  ]);
  await remindOfInvoices({ db: world.db, now: () => new Date() });
  return trader;
}

test('a trader with an overdue invoice is suggested as delinquent until it is paid; a person decides', async () => {
  const { id } = await traderOverdue();
  const suggested = await traderAs('super', id);
  expect(suggested.status).toBe('connected');
  expect(suggested.suggested_delinquent_at).not.toBeNull();
  await world.pay(id, usdt(10));
  expect((await traderAs('super', id)).suggested_delinquent_at).toBeNull();
});

test('staff see no suggestion that comes from an invoice of another provider', async () => {
  const [mine, other] = (
    await world.owner<{ id: string }>('SELECT id FROM provider ORDER BY lower(name) LIMIT 2')
  ).map((row) => row.id);
  const [seen, hidden] = [await traderOverdue(mine), await traderOverdue(other)];
  // They see this trader as well, through an account.
  await world.owner('UPDATE exchange_account SET provider_id = $2 WHERE trader_id = $1', [hidden.id, mine]);
  expect((await traderAs('staff', seen.id)).suggested_delinquent_at).not.toBeNull();
  expect((await traderAs('staff', hidden.id)).suggested_delinquent_at).toBeNull();
  expect((await traderAs('super', hidden.id)).suggested_delinquent_at).not.toBeNull();
});
