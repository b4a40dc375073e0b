import type { Call, CallInput } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applicationUrlOf } from '../../../../../../tests/support/application-url.ts';
import { addSuperAdmin } from '../../../../../../tests/support/identity/people.ts';
import { createOwingWorld, type OwingWorld } from '../../../../../../tests/support/world/owing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import type { Config } from '../../../config.ts';
import { approveOrderAsOperator } from '../../../wiring/operator-orders.ts';

// What one person could try who wants to let traders off what they owe, alone. The limit is 1,000 USDT.

let world: OwingWorld;
beforeAll(async () => {
  world = await createOwingWorld();
}, 60_000);
afterAll(() => world.close());
// The sums of a day begin anew with each test.
beforeEach(() => world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`));

const REASON = 'Agreed with the community';

async function traderOwing(...amounts: number[]) {
  const trader = await world.addTrader();
  for (const amount of amounts) {
    await world.addPositions(trader, String(2 * amount));
    await world.invoice();
  }
  return { id: trader.id, ids: (await world.invoicesOf(trader.id)).map(({ id }) => id) };
}
type Answer = {
  status: number;
  body: { data: { state?: string; order_id?: string } } & Record<string, unknown>;
};
const call = <K extends Call>(key: K, input: CallInput<K>, as = world.token) =>
  world.ask(key, input, {}, as) as unknown as Promise<Answer>;
const mark = (id: string, as = world.token, reason = REASON) =>
  call(
    'PATCH /api/invoices/{id}/status',
    { params: { id }, body: { is_paid: true, ...(reason && { reason }) } },
    as,
  );
const archive = (ids: string[], as = world.token) =>
  call(
    'PATCH /api/invoices/admin/archive',
    { body: { invoice_ids: ids, is_archived: true, reason: REASON } },
    as,
  );
const decide = (what: 'approve' | 'decline', id: string | undefined, as = world.other) =>
  call(`POST /api/orders/{id}/${what}`, { params: { id: id ?? '' } }, as);
const stateOf = async (id: string) => {
  const [row] = await world.owner(
    'SELECT status, settled_by, is_archived, paid_units::text AS paid FROM invoice WHERE id = $1',
    [id],
  );
  return row;
};
const OWED = { status: 'pending', settled_by: null, is_archived: false, paid: '0' };
const waits = { status: 202, body: { data: { state: 'awaiting_approval', order_id: expect.any(String) } } };

describe('marking as paid off-platform', () => {
  test('counts what was written off in 24 hours: the act that crosses the limit waits, with a reason', async () => {
    const { ids } = await traderOwing(600, 400, 1);
    const [a = '', b = '', c = ''] = ids;
    expect((await mark(a, world.token, '')).status).toBe(200);
    expect((await mark(b, world.token, '')).status).toBe(200);
    expect(await mark(c, world.token, '')).toMatchObject({
      status: 422,
      body: { error: 'write_off_reason_required' },
    });
    const asked = await mark(c);
    expect(asked).toMatchObject(waits);
    expect(await stateOf(c)).toEqual(OWED);
    expect((await call('GET /api/invoices/{id}', { params: { id: c } })).body.data).toMatchObject({
      is_awaiting_approval: true,
      is_paid: false,
    });
    expect(await mark(c)).toMatchObject({ status: 409, body: { error: 'order_waits' } });
    // The other super admin has a limit of its own, and cannot go around what waits either.
    expect(await mark(c, world.other)).toMatchObject({ status: 409, body: { error: 'order_waits' } });
    const listed = await call('GET /api/orders', { query: {} }, world.other);
    expect(listed.body.data).toMatchObject([
      {
        act: 'invoices_paid_off_platform',
        amount: '1',
        line_count: 1,
        facts: { reason: REASON },
        refusal: null,
      },
    ]);
    expect(await decide('approve', asked.body.data.order_id, world.token)).toMatchObject({
      status: 403,
      body: { error: 'own_approval' },
    });
    expect((await decide('approve', asked.body.data.order_id)).status).toBe(200);
    expect(await stateOf(c)).toMatchObject({ status: 'paid', settled_by: 'manual' });
    expect((await world.auditOf(c)).at(-1)).toMatchObject({
      action: 'invoice.marked_paid',
      after: { status: 'paid', reason: REASON },
    });
    expect(await findUnsound(world)).toEqual({});
  });

  test('what waits is announced to super admins when it begins and when it ends', async () => {
    const { id, ids } = await traderOwing(900, 900, 900);
    const [a = '', b = '', c = ''] = ids;
    expect((await mark(a)).status).toBe(200);
    const events = () =>
      world.owner(
        `SELECT topic, entity_id, provider_ids FROM change_event WHERE trader_id = $1 AND provider_ids = '{}' ORDER BY id`,
        [id],
      );
    expect(await events()).toEqual([]);
    const one = await mark(b);
    const ofOne = { topic: 'invoice', entity_id: b, provider_ids: [] };
    expect(await events()).toEqual([ofOne]);
    expect((await decide('decline', one.body.data.order_id)).status).toBe(200);
    expect(await events()).toEqual([ofOne, ofOne]);
    expect(await archive([b, c])).toMatchObject(waits);
    expect(await events()).toEqual([ofOne, ofOne, { ...ofOne, entity_id: null }]);
  });

  test('only unpaid amounts count, and what was restored does not', async () => {
    const { id, ids } = await traderOwing(1_500, 900, 900);
    const [a = '', b = '', c = ''] = ids;
    await world.pay(id, usdt(600));
    // 900 of 1,500 are unpaid.
    expect((await mark(a)).status).toBe(200);
    expect(await mark(b)).toMatchObject(waits);
    const other = await traderOwing(900, 900);
    const [d = '', e = ''] = other.ids;
    await world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`);
    expect((await archive([d])).status).toBe(200);
    expect(await archive([e])).toMatchObject(waits);
    const restore = { invoice_ids: [d], is_archived: false };
    expect((await call('PATCH /api/invoices/admin/archive', { body: restore })).status).toBe(200);
    expect((await mark(c)).status).toBe(200);
  });

  test('twelve at once are not more than the limit', async () => {
    const { ids } = await traderOwing(...Array.from({ length: 12 }, () => 150));
    const answers = await Promise.all(ids.map((id) => mark(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(6);
  });

  test('an account that the person made counts as the person', async () => {
    const puppet = await addSuperAdmin(world, world.token, 'write-off-puppet@example.com');
    const { ids } = await traderOwing(600, 600);
    const [a = '', b = ''] = ids;
    expect((await mark(a)).status).toBe(200);
    const asked = await mark(b, puppet.authorization);
    expect(asked).toMatchObject(waits);
    expect(await decide('approve', asked.body.data.order_id, world.token)).toMatchObject({
      status: 403,
      body: { error: 'requester_not_independent' },
    });
    expect((await decide('approve', asked.body.data.order_id)).status).toBe(200);
  });
});

describe('a bulk act', () => {
  test('is one whole: it waits as one, and an invoice that was paid meanwhile is named', async () => {
    const { id, ids } = await traderOwing(700, 700);
    const [a = '', b = ''] = ids;
    const asked = await archive(ids);
    expect(asked).toMatchObject(waits);
    expect([await stateOf(a), await stateOf(b)]).toEqual([OWED, OWED]);
    await world.pay(id, usdt(700));
    const refused = await decide('approve', asked.body.data.order_id);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: 'order_changed',
        message: expect.stringContaining(`the amount of Invoice ${shortId(a)}`),
      },
    });
    expect(await stateOf(b)).toEqual(OWED);
    expect((await decide('decline', asked.body.data.order_id)).status).toBe(200);
    expect((await archive([a])).status).toBe(200);
    const again = await archive([b]);
    expect(again).toMatchObject({ status: 200, body: { data: { changed: 1 } } });
  });

  test('of paid invoices gives up nothing and needs no order', async () => {
    const { id, ids } = await traderOwing(5_000);
    await world.pay(id, usdt(5_000));
    expect(await archive(ids)).toMatchObject({ status: 200, body: { data: { changed: 1, unchanged: 0 } } });
    expect(
      await world.owner("SELECT FROM money_order WHERE requested_at > now() - interval '1 day'"),
    ).toEqual([]);
  });
});

test('with one super admin, the command for the operator approves', async () => {
  const { ids } = await traderOwing(2_000);
  const [a = ''] = ids;
  const id = (await mark(a)).body.data.order_id as string;
  await approveOrderAsOperator(
    world.operatorDb,
    { chain: { chainId: 56, tokenAddress: `0x${'1'.repeat(40)}` } } as unknown as Config,
    SETTING_DEFAULTS,
    { id, now: () => new Date() },
  );
  expect(await stateOf(a)).toMatchObject({ status: 'paid', settled_by: 'manual' });
});

describe('in the database, as the login of the API', () => {
  const SUPER = `(SELECT id::text FROM identity.person WHERE email = 'super@demo.example')`;
  const order = (act: string, id: string, units: number, by = SUPER) => [
    `INSERT INTO money_order (act, state, needs, amount_units, facts, requested_by_id, requested_by)
     VALUES ('${act}', 'approved', '{}', ${usdt(units)}, '{}', ${by}, 'x')`,
    `INSERT INTO money_order_line (order_id, place, subject_id, label, amount_units)
     SELECT id, 1, '${id}', 'x', amount_units FROM money_order WHERE requested_at = now() AND NOT EXISTS (
       SELECT FROM money_order_line l WHERE l.order_id = money_order.id)`,
  ];
  const archiveRow = (id: string) => `UPDATE invoice SET is_archived = true WHERE id = '${id}'`;
  async function attempt(...steps: string[]): Promise<string> {
    const client = new pg.Client({ connectionString: await applicationUrlOf(world.ownerUrl) });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('copydesk.scope', 'all', true)`);
      for (const step of steps) await client.query(step);
      await client.query('COMMIT');
      return 'done';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end();
    }
  }

  test('nothing unpaid is written off without an order of a super admin below the limit', async () => {
    const { ids } = await traderOwing(800, 300);
    const [a = '', b = ''] = ids;
    const NO_ORDER = 'what is unpaid is written off by an order';
    const ABOVE = 'what one super admin writes off within a day is below the limit';
    expect(await attempt(archiveRow(a))).toBe(NO_ORDER);
    expect(await attempt(`UPDATE invoice SET status = 'cancelled' WHERE id = '${a}'`)).toBe(NO_ORDER);
    expect(
      await attempt(
        `UPDATE invoice SET status = 'paid', settled_by = 'manual', paid_at = now() WHERE id = '${a}'`,
      ),
    ).toBe(NO_ORDER);
    // Less than what is unpaid, of another act, or by nobody.
    expect(await attempt(...order('invoices_archived', a, 1), archiveRow(a))).toBe(NO_ORDER);
    expect(await attempt(...order('sale_cancelled', a, 800), archiveRow(a))).toBe(NO_ORDER);
    expect(await attempt(...order('invoices_archived', a, 800, `'x'`), archiveRow(a))).toBe(ABOVE);
    expect(
      await attempt(
        ...order('invoices_archived', a, 800),
        ...order('invoices_archived', b, 300),
        'SET CONSTRAINTS ALL IMMEDIATE',
        archiveRow(a),
        archiveRow(b),
      ),
    ).toBe(ABOVE);
    expect(await attempt(...order('invoices_archived', a, 800), archiveRow(a))).toBe('done');
    // An order of before allows nothing.
    expect(await attempt(`UPDATE invoice SET is_archived = false WHERE id = '${a}'`, archiveRow(a))).toBe(
      NO_ORDER,
    );
    expect(await attempt(...order('invoices_archived', b, 300), archiveRow(b))).toBe(ABOVE);
  });
});
