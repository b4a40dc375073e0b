import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import { allowTips, WORKER } from '../../../../../../tests/support/world/invoicing.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { listMismatches } from '../../../core/ledger/mismatches.views.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { TransferEngine } from '../../transfers/engine/engine.ts';
import { takeTransferTurn } from '../../transfers/engine/transfer-turn.ts';

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld({ env: { APPROVAL_ABOVE_USDT: '100' } });
  await allowTips(world.owner, 1n);
});
afterAll(() => world?.close());
// Each test has a day of its own for the sums of a day.
beforeEach(() => world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`));

/** A trader with a payout address that paid an invoice of 10, and this much more, on chain. */
async function addCredit(more: number) {
  const { id: community_id, providerId } = await world.addCommunity();
  const to = newAddress();
  const trader = await world.addTrader({
    community_id,
    selected_provider_id: providerId,
    external_wallet_address: to,
  });
  await world.owner('DELETE FROM payout_address_change WHERE owner_id = $1', [trader.id]);
  await world.addPositions(trader, '20');
  await world.invoice();
  const { paymentId } = await world.pay(trader.id, usdt(10 + more));
  const [invoice] = await world.invoicesOf(trader.id);
  const from = invoice?.payment_address as `0x${string}`;
  await world.chain.token.mint(from, usdt(10 + more));
  return { trader, paymentId, from, to };
}

const giveBack = (id: string, amount: string, to_address: string, as = world.token) =>
  world.ask(
    'POST /api/payments/{id}/return',
    { params: { id }, body: { amount, to_address, reason: 'Paid twice' } },
    {},
    as,
  );
const openOf = async (paymentId: string) =>
  (await world.owner('SELECT open_units::text AS units FROM payment WHERE id = $1', [paymentId]))[0]?.units;
const balanceOf = (address: string) => world.chain.token.balanceOf(address as `0x${string}`);
const returnOf = async (paymentId: string) =>
  (
    await world.owner(
      `SELECT c.state, i.state AS transfer, i.problem_detail AS why FROM credit_return c
       JOIN transfer i ON i.id = c.transfer_id WHERE c.payment_id = $1 ORDER BY c.created_at DESC LIMIT 1`,
      [paymentId],
    )
  )[0];
const listed = async (paymentId: string) =>
  (await world.ask('GET /api/payments/unmatched', { query: { limit: '200' } })).body.data.find(
    ({ id }) => id === paymentId,
  );
/** What a worker does meanwhile; its gas becomes final. */
async function takeTurns(engine: TransferEngine): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await world.owner('UPDATE transfer SET retry_at = NULL WHERE retry_at IS NOT NULL');
    while (await takeTransferTurn(engine));
    await world.chain.finalize();
  }
}
async function expectSound(): Promise<void> {
  expect(await findUnsound(world)).toEqual({});
  expect(await world.db.read(WHOLE_SCOPE, (tx) => listMismatches(tx, null))).toEqual([]);
}

test('credit is sent back to the address of its trader, once', async () => {
  const { trader, paymentId, from, to } = await addCredit(30);
  expect(await listed(paymentId)).toMatchObject({
    open_amount: '30',
    trader: { payout_address: to },
    returning: null,
  });
  const answers = await Promise.all([giveBack(paymentId, '30', to), giveBack(paymentId, '30', to)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(await listed(paymentId)).toMatchObject({
    open_amount: '0',
    returning: { amount: '30', to_address: to, transaction_hash: null, problem: null },
  });
  // What is on its way pays no invoice.
  await world.addPositions(trader, '8');
  await world.invoice();
  await world.payOut();
  expect(await balanceOf(to)).toBe(usdt(30));
  expect(await balanceOf(from)).toBe(usdt(10));
  expect(await returnOf(paymentId)).toEqual({ state: 'sent', transfer: 'final', why: null });
  expect(await listed(paymentId)).toBeUndefined();
  expect((await world.invoicesOf(trader.id)).map(({ status }) => status)).toEqual(['paid', 'pending']);
  const [journal] = await world.owner(
    `SELECT b.posted::text AS left FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
     WHERE a.kind = 'trader_deposit' AND a.owner_id = $1`,
    [trader.id],
  );
  expect(journal).toEqual({ left: '0' });
  await expectSound();
});

test('what was seen has changed, or cannot be sent', async () => {
  const { trader, paymentId, to } = await addCredit(30);
  expect((await giveBack(paymentId, '29', to)).body.error).toBe('credit_changed');
  expect((await giveBack(paymentId, '30', newAddress())).body.error).toBe('credit_changed');
  expect((await giveBack(randomUUID(), '30', to)).status).toBe(404);

  await world.ask('PATCH /api/traders/{id}', {
    params: { id: trader.id },
    body: { external_wallet_address: newAddress() },
  });
  expect((await giveBack(paymentId, '30', to)).body.error).toBe('address_held');
  await world.owner('UPDATE trader SET external_wallet_address = NULL WHERE id = $1', [trader.id]);
  expect((await giveBack(paymentId, '30', to)).body.error).toBe('no_payout_address');

  const imported = await addCredit(5);
  await world.owner('UPDATE deposit SET payment_id = NULL WHERE payment_id = $1', [imported.paymentId]);
  expect((await giveBack(imported.paymentId, '5', imported.to)).body.error).toBe('credit_not_on_chain');
});

test('a trader is not deleted while it has credit, which is named', async () => {
  const { trader } = await addCredit(30);
  const { status, body } = await world.ask('DELETE /api/traders/{id}', { params: { id: trader.id } });
  expect([status, body.error, body.message]).toEqual([
    409,
    'trader_has_credit',
    'This trader has 30 USDT of credit. Send it back or make it a tip first.',
  ]);
});

test('above the limit another person approves what was seen; another address is ordered again', async () => {
  const { trader, paymentId, to } = await addCredit(300);
  const waits = (await giveBack(paymentId, '300', to)).body.data;
  expect(waits.state).toBe('awaiting_approval');
  expect((await giveBack(paymentId, '300', to)).body.error).toBe('order_waits');
  const approve = (id: string | null) =>
    world.ask('POST /api/orders/{id}/approve', { params: { id: id as string } }, {}, world.other);
  const other = newAddress();
  await world.owner('UPDATE trader SET external_wallet_address = $2 WHERE id = $1', [trader.id, other]);
  await world.owner('DELETE FROM payout_address_change WHERE owner_id = $1', [trader.id]);
  const refused = await approve(waits.order_id);
  expect(refused.body).toMatchObject({
    error: 'order_changed',
    message: expect.stringContaining('the address'),
  });
  const declined = { params: { id: waits.order_id as string } };
  expect((await world.ask('POST /api/orders/{id}/decline', declined, {}, world.other)).status).toBe(200);

  const again = (await giveBack(paymentId, '300', other)).body.data;
  expect((await approve(again.order_id)).status).toBe(200);
  await world.payOut();
  expect([await balanceOf(to), await balanceOf(other)]).toEqual([0n, usdt(300)]);
  await expectSound();
});

describe('what cannot be sent is credit again, and pays what is open', () => {
  test.each<[why: string, statement: string, isOpen?: boolean]>([
    [
      'not_ordered',
      `UPDATE money_order o SET state = 'void' FROM credit_return c WHERE c.order_id = o.id AND c.payment_id = $1`,
    ],
    [
      'wrong_recipient',
      `UPDATE trader t SET external_wallet_address = '0x${'c3'.repeat(20)}' FROM payment p WHERE p.trader_id = t.id AND p.id = $1`,
    ],
    ['no_deposit', 'UPDATE deposit SET payment_id = NULL WHERE payment_id = $1'],
    ['not_covered', `UPDATE invoice_payment SET amount_units = amount_units + 1 WHERE payment_id = $1`, true],
    [
      'over_own_limit',
      `INSERT INTO platform_setting_default (name, value, noted_at)
       SELECT 'approval_above_usdt', to_jsonb('20'::text), now() WHERE $1::uuid IS NOT NULL`,
    ],
  ])('%s', async (why, statement, isTampered = false) => {
    const { trader, paymentId, to } = await addCredit(30);
    expect((await giveBack(paymentId, '30', to)).status).toBe(200);
    await world.addPositions(trader, '8');
    await world.invoice();
    await world.owner(statement, [paymentId]);
    await world.payOut();
    expect(await returnOf(paymentId)).toEqual({ state: 'undone', transfer: 'void', why });
    expect(await openOf(paymentId)).toBe(usdt(26).toString());
    expect((await world.invoicesOf(trader.id)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    expect(await balanceOf(to)).toBe(0n);
    await world.owner(`DELETE FROM platform_setting_default WHERE name = 'approval_above_usdt'`);
    if (isTampered)
      await world.owner(
        'UPDATE invoice_payment SET amount_units = amount_units - 1 WHERE payment_id = $1 AND amount_units > $2',
        [paymentId, usdt(10).toString()],
      );
    await expectSound();
  });

  test.each(['foreign_transaction', 'nothing_moved'])('after a review of %s', async (problem) => {
    const { paymentId, to } = await addCredit(30);
    expect((await giveBack(paymentId, '30', to)).status).toBe(200);
    const [wallet] = await world.owner<{ id: string }>(
      `WITH sent AS (
         UPDATE transfer i SET state = 'sent', nonce = w.next_nonce, sent_at = now(), problem = $2
         FROM credit_return c, chain_wallet w
         WHERE i.id = c.transfer_id AND w.id = i.wallet_id AND c.payment_id = $1 RETURNING i.wallet_id)
       UPDATE chain_wallet w SET frozen_because = 'foreign_nonce', frozen_at = now(), next_nonce = next_nonce + 1
       FROM sent WHERE w.id = sent.wallet_id RETURNING w.id`,
      [paymentId, problem],
    );
    const reviewed = await world.ask('POST /api/super-admin/wallets/{id}/unfreeze', {
      params: { id: wallet?.id as string },
      body: { reason: 'Looked at' },
    });
    expect(reviewed.status).toBe(200);
    await takeTurns(world.engineWith());
    expect(await returnOf(paymentId)).toMatchObject({ state: 'undone' });
    expect(await openOf(paymentId)).toBe(usdt(30).toString());
    await expectSound();
  });

  test('after a day in which nothing could sign it', async () => {
    const { paymentId, to } = await addCredit(30);
    expect((await giveBack(paymentId, '30', to)).status).toBe(200);
    const strict = world.engineWith({
      limits: { perTransaction: usdt(1), perDay: null },
    });
    await takeTurns(strict);
    expect(await returnOf(paymentId)).toMatchObject({ state: 'sending', transfer: 'planned' });
    await world.owner(
      `UPDATE credit_return SET created_at = now() - interval '25 hours' WHERE payment_id = $1`,
      [paymentId],
    );
    await takeTurns(strict);
    expect(await returnOf(paymentId)).toMatchObject({ state: 'undone', transfer: 'void' });
    expect(await openOf(paymentId)).toBe(usdt(30).toString());
    await expectSound();
  });
});

test('the login of the API sends nothing without an order that was approved now', async () => {
  const { paymentId, to } = await addCredit(30);
  const waits = (await giveBack(paymentId, '30', to)).body.data;
  expect(waits.state).toBe('done');
  const [first] = await world.owner<{ id: string }>(
    'SELECT order_id AS id FROM credit_return WHERE payment_id = $1',
    [paymentId],
  );
  const other = await addCredit(30);
  const attempt = (orderId: string) =>
    world.db.write(WHOLE_SCOPE, WORKER, async (tx) => {
      await sql`SELECT app.order_credit_return(56, ${world.chain.token.address}, ${randomUUID()}, ${orderId})`.execute(
        tx.sql,
      );
    });
  await expect(attempt(randomUUID())).rejects.toThrow(/by an order/);
  await expect(attempt(first?.id as string)).rejects.toThrow(/by an order/);
  expect(await openOf(other.paymentId)).toBe(usdt(30).toString());
  await world.payOut();
  await expectSound();
});
