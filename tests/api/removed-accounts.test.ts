import { beforeEach, describe, expect, test } from 'vitest';
import { type ClosedPosition, GatewayError } from '../../apps/server/src/integrations/exchanges/gateway.ts';
import { send } from '../support/send.ts';
import { useClosingWorld } from '../support/world/closing-world.ts';
import { addBareTrader } from '../support/world/traders.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

// What closed at an exchange account before it is removed is read once more, and invoiced.

const world = useClosingWorld();
const { owner, spare, bybitProviders, connect, remove, close, read, invoicesOf, keysKept, readAndInvoice } =
  world;

describe('what closed before an account is removed', () => {
  let trader: string;
  let provider: string;
  beforeEach(async () => {
    [provider] = await bybitProviders();
    trader = await addBareTrader(owner);
    await connect(trader, provider);
    await read();
  });
  const unread = () =>
    owner<{ seconds: number }>(
      `SELECT extract(epoch FROM r.unread_until - r.unread_since)::float AS seconds FROM account_reading r
       JOIN exchange_account a ON a.id = r.account_id WHERE a.trader_id = $1 AND r.unread_until IS NOT NULL`,
      [trader],
    );

  test('is read once more and invoiced, and then the key is gone', async () => {
    close('400');
    await remove(trader);
    expect(await keysKept()).toBe(2);
    close('30'); // after the removal, at nobody's account
    const page = await send(
      world.product.app,
      'GET /api/traders/{id}',
      { params: { id: trader }, query: { include_exchanges: 'true' } },
      world.token,
    );
    expect(page.json().data.exchanges).toEqual([]);
    const body = { exchange: 'bybit', acc_uid: spare().accUid, field: 'api_key' };
    expect(
      (
        await send(
          world.product.app,
          'POST /api/traders/{id}/exchange/reveal',
          { params: { id: trader }, body },
          world.token,
        )
      ).statusCode,
    ).toBe(404);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '200', provider_id: provider }]);
    world.now += HOUR_MS + 1_000;
    await readAndInvoice();
    expect(await invoicesOf(trader)).toHaveLength(1);
    expect([await keysKept(), await unread()]).toEqual([0, []]);
  });

  test('is read again an hour later, when the exchange has listed late closes', async () => {
    close('400');
    const late = world.closes.pop() as ClosedPosition;
    await remove(trader);
    await readAndInvoice();
    expect([await keysKept(), await invoicesOf(trader), await unread()]).toEqual([2, [], []]);
    const [due] = await owner<{ minutes: number }>(
      `SELECT extract(epoch FROM r.due_at - now())::float / 60 AS minutes FROM account_reading r
       JOIN exchange_account a ON a.id = r.account_id WHERE a.trader_id = $1`,
      [trader],
    );
    expect(due?.minutes).toBeGreaterThan(55);
    expect(due?.minutes).toBeLessThanOrEqual(60);
    world.closes.push(late);
    world.now += HOUR_MS + 1_000;
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '200', provider_id: provider }]);
    expect([await keysKept(), await unread()]).toEqual([0, []]);
  });

  test('is noted as unread for the last hour when the key is refused between both reads', async () => {
    close('400');
    await remove(trader);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toHaveLength(1);
    world.problem = new GatewayError('invalid_credentials');
    world.now += HOUR_MS + 1_000;
    await read();
    expect(await keysKept()).toBe(0);
    expect(await unread()).toHaveLength(1);
    expect((await unread())[0]?.seconds).toBeLessThanOrEqual(HOUR_MS / 1_000);
  });

  test('is found by ordinary reads when the account comes back before the second read', async () => {
    close('400');
    const late = world.closes.pop() as ClosedPosition;
    await remove(trader);
    await read();
    expect((await connect(trader, provider)).statusCode).toBe(201);
    world.closes.push(late);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '200' }]);
    expect([await keysKept(), await unread()]).toEqual([2, []]);
  });

  test('is noted as unread when the account is in a mode whose history is empty', async () => {
    await remove(trader);
    world.equityProblem = new GatewayError('portfolio_margin');
    world.now += HOUR_MS + 1_000;
    await read();
    expect([await keysKept(), (await unread()).length]).toEqual([0, 1]);
  });

  test.each([
    ['has forgotten', { coverageFrom: Number.MAX_SAFE_INTEGER }],
    ['breaks off', { endedEarly: true }],
  ] as const)('is noted as unread when the list of the exchange %s', async (_name, says) => {
    await remove(trader);
    world.pageSays = says;
    await read();
    expect(await unread()).toHaveLength(1);
    world.now += HOUR_MS + 1_000;
    await read();
    expect([await keysKept(), (await unread()).length]).toEqual([0, 1]);
  });

  test('is read after all when a list breaks off once', async () => {
    await remove(trader);
    world.pageSays = { endedEarly: true };
    await read();
    expect(await unread()).toHaveLength(1);
    world.pageSays = {};
    world.now += HOUR_MS + 1_000;
    await read();
    expect([await keysKept(), await unread()]).toEqual([0, []]);
  });

  test('waits while the exchange does not answer, a day at most', async () => {
    close('400');
    await remove(trader);
    world.problem = new GatewayError('venue_unavailable');
    await read();
    expect([await keysKept(), await unread()]).toEqual([2, []]);
    world.now += DAY_MS + 1_000;
    await read();
    expect(await keysKept()).toBe(0);
    expect(await unread()).toHaveLength(1);
    world.problem = null;
    await readAndInvoice();
    expect(await invoicesOf(trader)).toEqual([]);
  });

  test('is noted as unread when the exchange refuses the key', async () => {
    await remove(trader);
    world.problem = new GatewayError('invalid_credentials');
    await read();
    expect(await keysKept()).toBe(0);
    expect((await unread())[0]?.seconds).toBeGreaterThan(0);
  });

  test('is noted as unread when the account is removed at once, and read after all when it comes back', async () => {
    close('400');
    await remove(trader, true);
    expect(await keysKept()).toBe(0);
    expect(await unread()).toHaveLength(1);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toEqual([]);
    expect((await connect(trader, provider)).statusCode).toBe(201);
    expect(await unread()).toEqual([]);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '200' }]);
  });
});
