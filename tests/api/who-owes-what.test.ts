import { describe, expect, test } from 'vitest';
import { send } from '../support/send.ts';
import { useClosingWorld } from '../support/world/closing-world.ts';
import { addPool } from '../support/world/pools.ts';
import { addBareTrader } from '../support/world/traders.ts';

// Who is invoiced for what closes at an exchange account: whoever held it then, once, however it moves afterwards.

const world = useClosingWorld();
const { owner, spare, bybitProviders, connect, remove, close, invoicesOf, readAndInvoice } = world;

describe('one close is invoiced once', () => {
  test('however its account moves between providers and back', async () => {
    const [a, b] = await bybitProviders();
    const trader = await addBareTrader(owner);
    await connect(trader, a);
    await readAndInvoice();
    await remove(trader);
    await readAndInvoice();
    expect((await connect(trader, b)).statusCode).toBe(201);
    close('100');
    await readAndInvoice();
    await remove(trader);
    await readAndInvoice();
    expect((await connect(trader, a)).statusCode).toBe(201);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toEqual([{ trader_id: trader, provider_id: b, amount: '50' }]);
  });

  test('and owed by the trader that held the account, not by those before and after', async () => {
    const [a] = await bybitProviders();
    const [first, second] = [await addBareTrader(owner), await addBareTrader(owner)];
    await connect(first, a);
    await remove(first);
    expect((await connect(second, a)).statusCode).toBe(201);
    close('100');
    // Nobody read it meanwhile: the last read of the second trader and the first of the first one meet it together.
    await remove(second);
    expect((await connect(first, a)).statusCode).toBe(201);
    await readAndInvoice();
    await readAndInvoice();
    expect(await invoicesOf(first, second)).toEqual([{ trader_id: second, provider_id: a, amount: '50' }]);
  });

  test('by a pool or by a trader: connecting what the other holds is refused', async () => {
    const [provider] = await bybitProviders();
    const [community] = await owner<{ id: string }>(
      `SELECT id FROM community c WHERE NOT EXISTS (SELECT FROM pooled_account p WHERE p.community_id = c.id) LIMIT 1`,
    );
    const pool = await addPool(owner, community?.id ?? '');
    const setUid = (uid: string | null) =>
      owner('UPDATE pooled_account SET bybit_uid = $2, created_at = now() WHERE id = $1', [pool, uid]);
    const trader = await addBareTrader(owner);
    await connect(trader, provider);
    await expect(setUid(spare().accUid)).rejects.toThrow(/account_holder_alone/);
    close('100');
    await remove(trader);
    await setUid(spare().accUid);
    const answer = await connect(trader, provider);
    expect([answer.statusCode, answer.json().error]).toEqual([409, 'exchange_account_taken']);
    close('70'); // of the pool
    const toggle = async (isActive: boolean) => {
      const body = { is_active: isActive };
      const params = { id: pool };
      const { statusCode, ...on } = await send(
        world.product.app,
        'PUT /api/pooled-accounts/{id}',
        { params, body },
        world.token,
      );
      return [statusCode, on.json().error];
    };
    // Switched off, it holds nothing, and cannot be switched on while the trader holds the account.
    expect(await toggle(false)).toEqual([200, undefined]);
    expect((await connect(trader, provider)).statusCode).toBe(201);
    expect(await toggle(true)).toEqual([409, 'exchange_account_taken']);
    await remove(trader);
    expect(await toggle(true)).toEqual([200, undefined]);
    close('80'); // of the pool
    await setUid(null);
    await connect(trader, provider);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '50' }]);
  });
});
