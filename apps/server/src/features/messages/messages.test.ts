import type { Language } from '@copydesk/domain/catalogue';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import { until } from '../../../../../tests/support/until.ts';
import {
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../tests/support/world/messaging-world.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { notifyUnpaid } from './notify.service.ts';

const USDT = 10n ** 18n;

let world: MessagingWorld;
let token: string;
beforeAll(async () => {
  world = await createMessagingWorld();
  token = await world.signIn('super');
});
afterAll(() => world?.close());
beforeEach(async () => {
  world.telegram.faults.clear();
  world.telegram.outbox.reset();
  // Closes everything that other tests and the demo world left open.
  await world.owner("UPDATE message SET state = 'failed' WHERE state = 'queued'");
  await world.owner('UPDATE invoice SET is_archived = true WHERE NOT is_archived');
});
afterEach(() => world.stopSenders());

const notify = (traderId: string) =>
  world.db.write(WHOLE_SCOPE, { kind: 'user', id: 'u1', name: 'Olga' }, (tx) => notifyUnpaid(tx, traderId));
const auditOf = (id: string) =>
  world.owner<{ action: string; actor_kind: string; after: unknown }>(
    'SELECT action, actor_kind, after FROM audit_entry WHERE target_id = $1 ORDER BY seq',
    [id],
  );
async function sendAll(ids: readonly string[]): Promise<void> {
  world.startSender();
  await until(async () => !(await world.statesOf(ids)).queued);
}

describe('queueing', () => {
  test('a fact is sent once, however often it is reported', async () => {
    const traderId = await world.addTrader();
    const [id] = await world.queue([traderId], { dedupeKey: 'invoice_paid:1' });
    expect(id).not.toBe('');
    expect(await world.queue([traderId], { dedupeKey: 'invoice_paid:1' })).toEqual(['']);
    expect(await world.messagesOf(traderId)).toHaveLength(1);
  });

  test.each<[Language, string]>([
    ['en', 'Hello'],
    ['es', 'Hola'],
    ['ar', 'مرحبًا'],
    ['pl', 'Dzień dobry'],
    ['ru', 'Здравствуйте'],
  ])('in %s when that is the trader’s language, and so it stays', async (language, greeting) => {
    const traderId = await world.addTrader({ language });
    const ids = await world.queue([traderId], {
      kind: 'invoice_created',
      facts: {
        amountUnits: USDT,
        outstandingUnits: USDT,
        offPlatformUnits: 0n,
        invoiceCount: 1,
        dueAt: new Date(),
        paymentAddress: `0x${'1'.repeat(40)}`,
      },
    });
    await world.owner("UPDATE trader SET language = 'en' WHERE id = $1", [traderId]);
    expect(await world.messagesOf(traderId)).toMatchObject([
      { language, text: expect.stringContaining(greeting) },
    ]);
    expect(ids).toHaveLength(1);
  });

  test('hundreds at once keep their order', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => world.addTrader()));
    const given = Array.from({ length: 25 }, () => many).flat();
    const ids = await world.queue(given);
    expect(new Set(ids).size).toBe(500);
    const stored = await world.owner<{ id: string }>(
      'SELECT id FROM message WHERE id = ANY ($1) ORDER BY created_at, id',
      [ids],
    );
    expect(stored.map(({ id }) => id)).toEqual(ids);
  });
});

describe('messages that do not arrive', () => {
  test.each<[string, Record<string, string | null>, string]>([
    ['has no Telegram', { telegram_user_id: null }, 'no_chat'],
    ['never spoke to the bot', { telegram_user_id: '42' }, 'chat_not_found'],
    ['blocked the bot', { telegram_user_id: String(100_000_000 + 29 * 37) }, 'blocked'],
  ])(
    'is seen to have failed when the trader %s, and arrives when it is tried again',
    async (_, changes, problem) => {
      const traderId = await world.addTrader(changes);
      const [id] = await world.queue([traderId]);
      await sendAll([id as string]);
      const query = { trader_id: traderId, state: 'failed' };
      const listed = await send(world.app, 'GET /api/messages', { query }, token);
      expect(listed.json()).toMatchObject({
        meta: { total: 1 },
        data: [{ id, problem, next_attempt_at: null, can_retry: problem !== 'no_chat' }],
      });

      const params = { id: id as string };
      const retry = () => send(world.app, 'POST /api/messages/{id}/retry', { params }, token);
      if (problem === 'no_chat')
        expect((await retry()).json()).toMatchObject({ error: 'trader_not_reachable' });
      else {
        expect((await retry()).json()).toMatchObject({
          data: { state: 'queued', attempts: 0, problem: null },
        });
        await until(async () => (await world.statesOf([id as string])).failed === 1);
      }
      expect((await world.messagesOf(traderId))[0]).toMatchObject({ problem });

      await world.owner('UPDATE trader SET telegram_user_id = $2 WHERE id = $1', [
        traderId,
        String(100_000_000 + 4_000 * 37),
      ]);
      await retry();
      await until(async () => (await world.statesOf([id as string])).sent === 1);
      expect(world.telegram.outbox.list()).toHaveLength(1);
      expect((await retry()).statusCode).toBe(409);
      world.advance(5_000);
    },
  );
});

describe('telling a trader of its unpaid invoices', () => {
  test('who asks learns that the trader has blocked the bot, and not that a message was sent', async () => {
    const chat = String(100_000_000 + 29 * 37);
    const traderId = await world.addTrader({
      telegram_user_id: chat,
      deposit_address: `0x${'ce'.repeat(20)}`,
    });
    await world.addInvoice(traderId);
    const ask = async () =>
      (
        await send(world.app, 'POST /api/invoices/trader/{id}/notify', { params: { id: traderId } }, token)
      ).json<{ message: string; data: { message_id: string } }>();
    const first = await ask();
    expect(first.message).toBe('Notification Sent');
    await sendAll([first.data.message_id]);
    expect((await ask()).message).toMatch(/did not arrive: the trader has blocked the bot/);
  });

  test('sums the open amounts, once while it is queued, and again after it is sent', async () => {
    const traderId = await world.addTrader({ deposit_address: `0x${'cd'.repeat(20)}` });
    const [{ id: providerId }] = (await world.owner<{ id: string }>(
      'SELECT id FROM provider ORDER BY id LIMIT 1',
    )) as [{ id: string }];
    await world.addInvoice(traderId, {
      units: 100n * USDT,
      paid_units: USDT.toString(),
      provider_id: providerId,
    });
    await world.addInvoice(traderId, { units: 50n * USDT, provider_id: providerId });
    await world.addInvoice(traderId, { units: 7n * USDT, is_archived: true });
    await world.settle(await world.addInvoice(traderId));

    const both = await Promise.all([notify(traderId), notify(traderId)]);
    expect(both.map(({ isPresent }) => isPresent).toSorted()).toEqual([false, true]);
    const present = { ...both[0], isPresent: true };
    expect({ ...both[1], isPresent: true }).toEqual(present);
    expect(await notify(traderId)).toEqual(present);
    const [message, ...none] = await world.messagesOf(traderId);
    expect(none).toEqual([]);
    expect(message).toMatchObject({ kind: 'unpaid_invoices', provider_id: providerId, requested_by: 'Olga' });
    expect(message?.text).toMatch(/2 unpaid invoices.*149\.00.*0x(cd){20}/s);
    expect((await auditOf(traderId)).map(({ action }) => action)).toEqual(['trader.notified']);

    await sendAll([both[0]?.messageId as string]);
    world.advance(5_000);
    // The same debt within a minute is one message, also after it was sent.
    expect(await notify(traderId)).toEqual(present);
    await world.owner(
      "UPDATE message SET created_at = created_at - interval '61 seconds' WHERE trader_id = $1",
      [traderId],
    );
    const second = await notify(traderId);
    expect(second.messageId).not.toBe(both[0]?.messageId);
    await sendAll([second.messageId]);
    // Another debt is another message.
    await world.addInvoice(traderId, { units: 3n * USDT, provider_id: providerId });
    expect(await notify(traderId)).not.toEqual(second);
  });

  test('belongs to no provider when several wait for money', async () => {
    const traderId = await world.addTrader();
    const providers = await world.owner<{ id: string }>('SELECT id FROM provider ORDER BY id LIMIT 2');
    for (const { id } of providers) await world.addInvoice(traderId, { provider_id: id });
    await notify(traderId);
    expect(await world.messagesOf(traderId)).toMatchObject([{ provider_id: null }]);
  });

  test.each([
    ['not_found', async () => '00000000-0000-4000-8000-000000000000'],
    ['nothing_unpaid', () => world.addTrader()],
    [
      'trader_not_reachable',
      async () => {
        const traderId = await world.addTrader({ telegram_user_id: null });
        await world.addInvoice(traderId);
        return traderId;
      },
    ],
  ])('is refused with %s', async (code, whom) => {
    const traderId = await whom();
    await expect(notify(traderId)).rejects.toMatchObject({ code });
    expect(await world.messagesOf(traderId)).toEqual([]);
  });
});

test('a message without a recipient is an error for the caller', async () => {
  await expect(world.queue(['00000000-0000-4000-8000-000000000000'])).rejects.toThrow('does not exist');
});

test('messages are counted once for all callers, and again after one was sent', async () => {
  const meta = async () =>
    (await send(world.app, 'GET /api/messages', { query: { limit: '1' } }, token)).json().meta;
  const [stored] = await world.owner<{ total: number }>('SELECT count(*)::int AS total FROM message');
  const first = await meta();
  expect(first.total).toBe(stored?.total);
  // What the tests before changed may still be told of: then it is counted again, and then no more.
  await until(async () => {
    const { totals_at } = await meta();
    return (await meta()).totals_at === totals_at;
  });
  const traderId = await world.addTrader();
  await sendAll((await world.queue([traderId])) as string[]);
  await until(async () => (await meta()).total === first.total + 1);
});
