import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: InvoicingWorld;
let superAdmin: string;
beforeAll(async () => {
  world = await createInvoicingWorld();
  superAdmin = await world.signIn('super');
});
afterAll(() => world.close());

const unmatched = async (query: Record<string, string> = {}) => {
  const answer = await send(world.app, 'GET /api/payments/unmatched', { query }, superAdmin);
  const { data, meta } = answer.json() as {
    data: { trader: { id: string } & Record<string, unknown> }[];
    meta: { total: number; total_amount: string };
  };
  return { data, meta };
};

test('nothing waits in a world whose money went to invoices', async () => {
  expect(await unmatched()).toEqual({
    data: [],
    meta: { total: 0, waiting: 0, returning: 0, total_amount: '0' },
  });
});

test('money without an invoice is listed until an invoice takes it', async () => {
  const trader = await world.addTrader({ name: 'Early Payer' });
  const { paymentId } = await world.pay(trader.id, usdt(5));
  const [community] = await world.owner<{ id: string; name: string }>(
    'SELECT id, name FROM community WHERE id = $1',
    [trader.communityId],
  );
  expect(await unmatched()).toEqual({
    data: [
      {
        id: paymentId,
        trader: {
          id: trader.id,
          name: 'Early Payer',
          telegram_username: null,
          reference_number: expect.stringMatching(/^T-/),
          community,
          payout_address: null,
        },
        amount: '5',
        open_amount: '5',
        transaction_hash: `0x${'a'.repeat(64)}`,
        received_at: expect.stringMatching(/Z$/),
        is_awaiting_approval: false,
        returning: null,
      },
    ],
    meta: { total: 1, waiting: 1, returning: 0, total_amount: '5' },
  });
  await world.addPositions(trader, '10');
  await world.invoice();
  expect((await unmatched()).data).toEqual([]);
});

test('of a payment that an invoice took in part, the rest is counted', async () => {
  const trader = await world.addTrader();
  const { paymentId } = await world.pay(trader.id, 7_500_000_000_000_000_000n);
  await world.owner('UPDATE payment SET open_units = $2 WHERE id = $1', [paymentId, '2500000000000000001']);
  const { data, meta } = await unmatched();
  expect(data).toMatchObject([{ amount: '7.5', open_amount: '2.500000000000000001' }]);
  expect(meta).toEqual({ total: 1, waiting: 1, returning: 0, total_amount: '2.500000000000000001' });
  await world.owner('UPDATE payment SET open_units = 0 WHERE id = $1', [paymentId]);
});

test('pages come latest first, and are of one whole', async () => {
  const traders: string[] = [];
  for (let n = 1; n <= 3; n++) {
    const { id } = await world.addTrader();
    await world.pay(id, usdt(n));
    traders.unshift(id);
  }
  const pages = [];
  for (let offset = 0; offset < 4; offset++)
    pages.push(await unmatched({ limit: '1', offset: String(offset) }));
  expect(pages.map(({ data }) => data.map(({ trader }) => trader.id))).toEqual([
    ...traders.map((id) => [id]),
    [],
  ]);
  for (const { meta } of pages)
    expect(meta).toEqual({ total: 3, waiting: 3, returning: 0, total_amount: '6' });
});

test('a payment that waits is news to super admins only', async () => {
  const { id } = await world.addTrader();
  await world.pay(id, usdt(1));
  expect(
    await world.owner(
      'SELECT topic, cardinality(provider_ids) AS providers FROM change_event WHERE trader_id = $1',
      [id],
    ),
  ).toEqual([{ topic: 'payment', providers: 0 }]);
});

test('staff are refused, and the table shows them nothing either', async () => {
  const staff = await world.signIn('staff');
  expect((await send(world.app, 'GET /api/payments/unmatched', {}, staff)).statusCode).toBe(403);
  const [provider] = await world.owner<{ id: string }>('SELECT id FROM provider LIMIT 1');
  const scope = { kind: 'providers', providerIds: [provider?.id ?? ''] } as const;
  const seen = await world.db.read(scope, (tx) =>
    tx.sql.selectFrom('payment').select('id').limit(1).execute(),
  );
  expect(seen).toEqual([]);
});
