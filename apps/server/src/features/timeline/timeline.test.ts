import type { CallAnswer } from '@copydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import type { OwingCommunity } from '../../../../../tests/support/world/owing-world.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../tests/support/world/paying-world.ts';
import { takeTransferTurn } from '../transfers/engine/transfer-turn.ts';

type Timeline = CallAnswer<'GET /api/timeline'>['data'];

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld();
}, 120_000);
afterAll(() => world?.close());

type Kind = 'trader' | 'invoice' | 'payout';
const ask = (kind: Kind, id: string, token = world.token, limit = 200) =>
  send(
    world.app,
    'GET /api/timeline',
    { query: { subject_kind: kind, subject_id: id, limit: String(limit) } },
    token,
  );
const timeline = async (kind: Kind, id: string, token?: string, limit?: number): Promise<Timeline> => {
  const answer = await ask(kind, id, token, limit);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
};
const told = ({ events }: Timeline) =>
  events.map(({ kind, state }) => (state === 'done' ? kind : `${kind} ${state}`));
const next = ({ expected }: Timeline) => expected.map(({ kind }) => kind);
const SENT = /^(consolidation|payout)_(sent|final|paid)/;

/** A community, and an invoice that its trader paid on chain. */
async function paid(amount: number) {
  const community = await world.addCommunity();
  const { id: traderId } = await world.addPaid(community, amount);
  const [invoice] = await world.invoicesOf(traderId);
  return { community, traderId, invoiceId: invoice?.id ?? '' };
}
const payoutsOf = async ({ id }: OwingCommunity) =>
  (await world.owner<{ id: string }>('SELECT id FROM payout WHERE community_id = $1 ORDER BY id', [id])).map(
    (row) => row.id,
  );

describe('an invoice', () => {
  test('tells its story from the position to the final payout, and what comes next at each step', async () => {
    const { community, invoiceId } = await paid(20);
    const before = await timeline('invoice', invoiceId);
    expect(told(before).filter((kind) => !kind.startsWith('message'))).toEqual([
      'shares_due',
      'payment_booked',
      'payment_arrived',
      'invoiced',
      'positions_closed',
    ]);
    expect(next(before)).toContain('distribution');
    const [due] = before.events.filter(({ kind }) => kind === 'shares_due');
    expect(due).toMatchObject({ amount: '20', actor: 'system' });
    const [arrived] = before.events.filter(({ kind }) => kind === 'payment_arrived');
    expect(arrived).toMatchObject({
      amount: '20',
      actor: 'trader',
      transaction_hash: expect.stringMatching(/^0x/),
    });

    expect((await world.distribute(community.id)).status).toBe(200);
    const ordered = await timeline('invoice', invoiceId);
    const payouts = await payoutsOf(community);
    const orders = ordered.events.filter(({ kind }) => kind === 'payout_ordered');
    expect(orders.map(({ subject }) => subject?.id).toSorted()).toEqual(payouts);
    expect(orders[0]).toMatchObject({ actor: 'person', actor_name: 'super@demo.example' });
    expect(next(ordered)).toEqual(expect.arrayContaining(['transfer_signed']));
    expect(next(ordered)).not.toContain('distribution');

    await takeTransferTurn(world.engineWith());
    await takeTransferTurn(world.engineWith());
    await world.payOut();
    const after = await timeline('invoice', invoiceId);
    expect([...new Set(told(after).filter((kind) => SENT.test(kind)))]).toEqual([
      'payout_paid',
      'payout_sent',
      'consolidation_final',
      'consolidation_sent',
    ]);
    expect(after.events.filter(({ kind }) => kind === 'payout_paid')).toHaveLength(payouts.length);
    // The shares of the invoice add up to it, whoever they are for.
    const paidUnits = after.events
      .filter(({ kind }) => kind === 'payout_paid')
      .map(({ amount }) => Number(amount));
    expect(paidUnits.reduce((sum, one) => sum + one, 0)).toBeCloseTo(20, 9);
    expect(next(after).filter((kind) => !kind.startsWith('message'))).toEqual([]);
  });

  test('a transfer without a receipt is neither done nor failed', async () => {
    const { community, invoiceId } = await paid(30);
    await world.distribute(community.id);
    for (let turn = 0; turn < 4; turn++) {
      await world.owner('UPDATE transfer SET retry_at = NULL WHERE retry_at IS NOT NULL');
      await takeTransferTurn(world.engineWith());
      const now = await timeline('invoice', invoiceId);
      if (!told(now).includes('consolidation_sent unknown')) {
        await world.chain.finalize();
        continue;
      }
      expect(next(now)).toContain('transfer_final');
      await world.payOut();
      expect(told(await timeline('invoice', invoiceId)).join()).not.toContain('unknown');
      return;
    }
    throw new Error('nothing was sent');
  });

  test('what is asked for is due, then overdue, and nothing once it is archived', async () => {
    const trader = await world.addTrader();
    await world.addPositions(trader, '20');
    await world.invoice();
    const [invoice] = await world.invoicesOf(trader.id);
    const id = invoice?.id ?? '';
    const asked = async () =>
      next(await timeline('invoice', id)).filter((kind) => kind.startsWith('payment'));
    expect(await asked()).toEqual(['payment_due']);
    await world.owner(`UPDATE invoice SET due_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    expect(await asked()).toEqual(['payment_overdue']);
    await world.owner(
      `INSERT INTO incoming_transfer (chain_id, transaction_hash, log_index, trader_id, block_number, amount_units)
       VALUES (56, '0x' || repeat('ab', 32), 0, $1, 1, 5)`,
      [trader.id],
    );
    expect(next(await timeline('invoice', id))).toEqual(
      expect.arrayContaining(['payment_overdue', 'deposit_final']),
    );
    await world.owner(`UPDATE invoice SET is_archived = true WHERE id = $1`, [id]);
    expect(await asked()).toEqual([]);
  });
});

describe('a trader', () => {
  test('has what was asked, paid and told of all its invoices, each with its invoice, and owes their sum', async () => {
    const { traderId, invoiceId } = await paid(60);
    const story = await timeline('trader', traderId);
    expect([...new Set(story.events.map(({ subject }) => subject?.id ?? null))]).toEqual([invoiceId]);
    expect(told(story).filter((kind) => !kind.startsWith('message'))).toEqual([
      'payment_booked',
      'payment_arrived',
      'invoiced',
      'positions_closed',
    ]);
    // Shares are of their recipients: nothing of them waits for the trader.
    expect(next(story).filter((kind) => !kind.startsWith('message'))).toEqual([]);
    expect((await timeline('trader', traderId, world.token, 2)).events).toEqual(story.events.slice(0, 2));
  });

  test('owes what is due and what is overdue, each counted', async () => {
    const trader = await world.addTrader();
    for (const pnl of ['20', '30', '40']) {
      await world.addPositions(trader, pnl);
      await world.invoice();
    }
    await world.owner(
      `UPDATE invoice SET due_at = now() - interval '1 hour' WHERE id = (
         SELECT id FROM invoice WHERE trader_id = $1 ORDER BY created_at LIMIT 1)`,
      [trader.id],
    );
    const { expected } = await timeline('trader', trader.id);
    expect(expected.filter(({ waits_for }) => waits_for === 'trader')).toMatchObject([
      { kind: 'payment_overdue', count: 1 },
      { kind: 'payment_due', count: 2 },
    ]);
  });
});

describe('a payout', () => {
  test('tells who ordered it, what was sent, and that it failed until it is ordered again', async () => {
    const { community } = await paid(40);
    await world.distribute(community.id);
    const [id = ''] = await payoutsOf(community);
    const before = await timeline('payout', id);
    expect(told(before)).toEqual(['payout_ordered', 'shares_due']);
    // It leads to no other payout, and to no invoice: a payout may pay thousands.
    expect(before.events.map(({ subject }) => subject)).toEqual([null, null]);
    await world.owner(`UPDATE payout SET status = 'failed', problem = 'reverted' WHERE id = $1`, [id]);
    const failed = await timeline('payout', id);
    expect(failed.events[0]).toMatchObject({ kind: 'payout_failed', state: 'failed', problem: 'reverted' });
    expect(next(failed)[0]).toBe('payout_again');
  });
});

describe('who sees it', () => {
  test('staff of another provider finds nothing, and its own staff learns no names and no transfers', async () => {
    const staff = await world.signIn('staff');
    const [own] = (await send(world.app, 'GET /api/me', {}, staff)).json().data.providers as { id: string }[];
    const [foreign] = await world.owner<{ invoice: string; payout: string }>(
      `SELECT i.id AS invoice, o.id AS payout FROM invoice i, payout o
       WHERE i.provider_id <> $1 AND NOT EXISTS (SELECT FROM payable y WHERE y.payout_id = o.id AND y.provider_id = $1)
       LIMIT 1`,
      [own?.id],
    );
    for (const token of [staff, world.token]) {
      const status = token === staff ? 404 : 200;
      expect((await ask('invoice', foreign?.invoice ?? '', token)).statusCode).toBe(status);
      expect((await ask('payout', foreign?.payout ?? '', token)).statusCode).toBe(status);
    }

    const [mine] = await world.owner<{ id: string }>(
      `SELECT y.invoice_id AS id FROM payable y JOIN payout o ON o.id = y.payout_id JOIN invoice i ON i.id = y.invoice_id
       WHERE y.provider_id = $1 AND o.status = 'distributed' AND EXISTS (
         SELECT FROM trader_provider s WHERE s.trader_id = i.trader_id AND s.provider_id = $1) LIMIT 1`,
      [own?.id],
    );
    const seen = await timeline('invoice', mine?.id ?? '', staff);
    expect(told(seen)).toEqual(expect.arrayContaining(['payout_ordered', 'payout_paid']));
    for (const { kind, actor_name } of seen.events) {
      expect(kind).not.toMatch(/_sent$|_approved$|_declined$/);
      if (kind === 'payout_ordered') expect(actor_name).toBeNull();
    }
  });

  test('what does not exist is missing', async () => {
    expect((await ask('payout', '00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  });
});
