import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../../../../tests/support/until.ts';
import { type BotWorld, CANARY, createBotWorld } from '../../../../../../../tests/support/world/bot-world.ts';
import { findUnsound } from '../../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../../tests/support/world/usdt.ts';
import { expireSales } from '../sales/cancel-sales.ts';
import { pruneBotMessages } from './bot-messages.store.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let world: BotWorld;
beforeAll(async () => {
  world = await createBotWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.startWorker());
afterEach(async () => {
  await world.stopWorkers();
  world.telegram.faults.clear();
  expect(world.logged.join('\n')).not.toContain(CANARY);
});

type Person = ReturnType<BotWorld['person']>;
const write = (text: string) => (acting: { write: (text: string) => void }) => acting.write(text);
const press = (data: string) => (acting: { press: (data: string) => void }) => acting.press(data);
const dataOf = (buttons: readonly { callback_data?: string }[]) =>
  buttons.map(({ callback_data }) => callback_data);
const ordersOf = async (person: Person) =>
  (
    await world.as('GET /api/exchange-bot/invoices/user/{id}', {
      params: { id: await world.traderOf(person.id) },
      query: {},
    })
  ).data;
async function order(person: Person, plan = 'One month') {
  await person.does(write('/start'));
  await person.does(press('prices'));
  await person.does(press(`plan:${world.planId(plan)}`));
  const [invoice] = await person.does(press(`order:${world.planId(plan)}`));
  if (!invoice) throw new Error('no invoice');
  return invoice;
}
const orderIdIn = (buttons: readonly { callback_data?: string }[]) =>
  dataOf(buttons)
    .find((data) => data?.startsWith('cancel:'))
    ?.split(':')[1] ?? '';

test('a person buys access: plan, coupon, address, payment', async () => {
  const ada = world.person('es-MX');
  const [welcome] = await ada.does(write('/start ref-42'));
  expect(welcome?.text).toContain('Te damos la bienvenida a Demo Bot 2000100');
  expect(dataOf(welcome?.buttons ?? [])).toEqual(['prices', 'access', 'questions', 'language']);
  const [prices] = await ada.does(press('prices'));
  expect(prices?.buttons.map(({ text }) => text)).toEqual([
    'One month · 49.00 USDT',
    'Three months · 129.00 USDT',
    'One year · 449.00 USDT',
    'Menú',
  ]);
  const [plan] = await ada.does(press(`plan:${world.planId('One month')}`));
  expect(plan?.text).toBe('One month\n\nDuración en días: 30\nPrecio: 49.00 USDT');
  const [invoice] = await ada.does(press(`order:${world.planId('One month')}`));
  const [sale] = await ordersOf(ada);
  expect(invoice?.text).toContain('49.00 USDT');
  expect(invoice?.text).toContain(sale.payment_address);
  // A picture of 480 pixels, as its header says.
  expect(invoice?.photo?.subarray(1, 4).toString()).toBe('PNG');
  expect(invoice?.photo?.readUInt32BE(16)).toBe(480);
  expect(orderIdIn(invoice?.buttons ?? [])).toBe(sale.id);
  expect(sale).toMatchObject({ status: 'pending', trader_name: 'Ada Berg', coupon_code: null });

  await ada.does(press(`coupon:${sale.id}`));
  expect(await ada.does(write('wrong'))).toMatchObject([{ text: expect.stringContaining('No conozco') }]);
  expect(await ada.does(write('launch'))).toMatchObject([{ text: 'Este cupón ya no es válido.' }]);
  expect(await ada.does(write('YEAR50'))).toMatchObject([{ text: 'Este cupón es para otros planes.' }]);
  const [used, lower] = await ada.does(write(' welcome10 '), 2);
  expect(used?.text).toBe('Cupón WELCOME10 aplicado. Ahora pagas 44.10 USDT.');
  expect(lower?.text).toContain('44.10 USDT');
  expect(dataOf(lower?.buttons ?? [])).not.toContain(`coupon:${sale.id}`);

  const [paid] = await ada.does(() => void world.pay(sale.trader_id, usdt(50)));
  expect(paid?.text).toMatch(/^Tu pago ha llegado, ¡gracias! Tienes acceso hasta .+ UTC: One month\.$/);
  expect((await ada.does(press('access')))[0]?.text).toMatch(/^Tu acceso: One month, hasta/);
  const [chat] = await world.owner(
    'SELECT language, source FROM exchange_bot_chat WHERE telegram_user_id = $1',
    [ada.id],
  );
  expect(chat).toEqual({ language: 'es', source: 'ref-42' });
  expect(await findUnsound(world)).toEqual({});

  // Its end is near: said once, although the worker looks again and again.
  world.advance(27.5 * DAY_MS);
  const [ending] = await ada.does(() => {});
  expect(ending?.text).toMatch(/^Tu acceso termina pronto/);
  world.advance(DAY_MS);
  await sleep(400);
  expect(ada.received().filter(({ text }) => text.includes('termina pronto'))).toHaveLength(1);
  expect(ada.received().filter(({ text }) => text.includes('ha llegado'))).toHaveLength(1);
  world.advance(-28.5 * DAY_MS);
});

test('a link opens a plan', async () => {
  const [plan] = await world.person().does(write(`/start plan_${world.planId('One year').slice(0, 8)}`));
  expect(plan?.text).toContain('One year');
  expect(dataOf(plan?.buttons ?? [])[0]).toBe(`order:${world.planId('One year')}`);
});

test("who comes by a trader's link is referred by that trader, once and in its own community", async () => {
  const ada = world.person();
  await order(ada);
  const [{ trader_id: adaId }] = await ordersOf(ada);
  const [own] = await world.owner('SELECT referral_code AS code FROM trader WHERE id = $1', [adaId]);
  await world.owner(
    `INSERT INTO trader (community_id, referral_code)
     SELECT c.id, 'ELSEWHERE' FROM community c
     WHERE c.id <> (SELECT t.community_id FROM trader t WHERE t.id = $1) LIMIT 1`,
    [adaId],
  );
  const referrerOf = async (link: string) => {
    const person = world.person();
    await person.does(write(`/start ${link}`));
    await order(person);
    const [{ trader_id }] = await ordersOf(person);
    const [row] = await world.owner(
      'SELECT referred_by_trader_id AS referrer, source FROM trader WHERE id = $1',
      [trader_id],
    );
    return row;
  };
  expect(await referrerOf(String(own?.code))).toEqual({ referrer: adaId, source: 'bot' });
  expect(await referrerOf('ELSEWHERE')).toEqual({ referrer: null, source: 'bot' });
  expect(await referrerOf('summer-fair')).toEqual({ referrer: null, source: 'bot' });
});

test('a late payment revives the order, and money that is left over pays the next one at once', async () => {
  const ada = world.person();
  await order(ada);
  const [{ trader_id }] = await ordersOf(ada);
  await world.owner('UPDATE exchange_bot_sale SET expires_at = now() WHERE trader_id = $1', [trader_id]);
  const [over] = await ada.does(() => void expireSales({ db: world.db, now: world.now }));
  expect(over?.text).toBe(
    'Your order was not paid in time and has been cancelled: One month. Please do not pay it any more; choose a plan to order again.',
  );
  const [late] = await ada.does(() => void world.pay(trader_id, usdt(49)));
  expect(late?.text).toContain('Your payment has arrived');
  expect(await ordersOf(ada)).toMatchObject([{ status: 'paid' }]);
  await world.pay(trader_id, usdt(49));
  const [paid] = await ada.does(press(`order:${world.planId('One month')}`));
  expect(paid?.text).toContain('Your payment has arrived');
  expect(await ordersOf(ada)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
});

test('an order to which money is on its way is not cancelled, and its buyer is told', async () => {
  const ada = world.person();
  const invoice = await order(ada);
  const [{ trader_id }] = await ordersOf(ada);
  await world.owner(
    `INSERT INTO incoming_transfer (chain_id, transaction_hash, log_index, trader_id, block_number, amount_units)
     VALUES (56, '0x' || repeat('a', 64), 0, $1, 1, $2)`,
    [trader_id, usdt(49)],
  );
  const [wait] = await ada.does(press(`cancel:${orderIdIn(invoice.buttons)}`));
  expect(wait?.text).toContain('on its way');
  expect(await ordersOf(ada)).toMatchObject([{ status: 'pending' }]);
});

test('a hundred questions come in pages that Telegram takes', async () => {
  await world.owner(
    `INSERT INTO exchange_bot_faq (bot_id, language, place, question, answer)
     SELECT $1, 'en', 100 + n, 'Question ' || n || ' ' || repeat('ж', 55), 'So.' FROM generate_series(1, 99) n`,
    [world.bot.id],
  );
  const ada = world.person();
  await ada.does(write('/start'));
  const [first] = await ada.does(press('questions'));
  expect(first?.buttons).toHaveLength(22);
  const [second] = await ada.does(press('questions:2'));
  expect(dataOf(second?.buttons ?? []).slice(-3)).toEqual(['questions:1', 'questions:3', 'menu']);
  await world.owner('DELETE FROM exchange_bot_faq WHERE place > 100');
});

test('an order is cancelled by its buyer, and one of which a part is paid is not', async () => {
  const ada = world.person();
  const first = await order(ada);
  // A second press shows the same order.
  const [again] = await ada.does(press(`order:${world.planId('One month')}`));
  expect(orderIdIn(again?.buttons ?? [])).toBe(orderIdIn(first.buttons));
  const [gone] = await ada.does(press(`cancel:${orderIdIn(first.buttons)}`));
  expect(gone?.text).toContain('is cancelled');
  expect((await ordersOf(ada))[0]).toMatchObject({ status: 'cancelled', cancelled_because: 'buyer' });
  expect((await ada.does(press(`cancel:${orderIdIn(first.buttons)}`)))[0]?.text).toContain('no longer open');

  const second = await order(ada);
  const [{ trader_id }] = await ordersOf(ada);
  await world.pay(trader_id, usdt(20));
  expect((await ada.does(press(`cancel:${orderIdIn(second.buttons)}`)))[0]?.text).toContain(
    'A part of your open order',
  );
  await ada.does(press('prices'));
  await ada.does(press(`plan:${world.planId('One year')}`));
  expect((await ada.does(press(`order:${world.planId('One year')}`)))[0]?.text).toContain(
    'A part of your open order',
  );
  const [, rest] = await ada.does(press('access'), 2);
  expect(rest?.text).toContain('29.00 USDT');
  expect(dataOf(rest?.buttons ?? [])).toEqual(['menu']);
  expect(await findUnsound(world)).toEqual({});
});

test('what the bot does not sell now is refused in words, and leaves no trader', async () => {
  const ada = world.person();
  await ada.does(write('/start'));
  await ada.does(press('prices'));
  await ada.does(press(`plan:${world.planId('One month')}`));
  await world.owner('DELETE FROM deposit_address');
  const audited = async () => (await world.owner('SELECT FROM audit_entry')).length;
  const before = await audited();
  try {
    const [refused] = await ada.does(press(`order:${world.planId('One month')}`));
    expect(refused?.text).toBe('This plan cannot be ordered at the moment.');
    expect(await world.traderOf(ada.id)).toBe('');
    expect(await audited()).toBe(before);
  } finally {
    await world.agree();
  }
});

test('questions are answered in the language of the chat, which a person may change', async () => {
  const ada = world.person('de');
  expect((await ada.does(write('hello')))[0]?.text).toBe('What would you like to do?');
  const [questions] = await ada.does(press('questions'));
  const [first] = questions?.buttons ?? [];
  expect(first?.text).toBe('How do I pay?');
  const [answer] = await ada.does(press(first?.callback_data ?? ''));
  expect(answer?.text).toContain('How do I pay?\n\nChoose a plan.');
  await ada.does(press('questions'));
  await ada.does(write('/start'));
  await ada.does(press('language'));
  const [chosen] = await ada.does(press('language:pl'));
  expect(chosen?.text).toBe('Od teraz piszę po polsku.');
  expect((await ada.does(press('questions')))[0]?.text).toBe('W Twoim języku nie ma jeszcze odpowiedzi.');
});

test('in a group the bot is silent', async () => {
  const ada = world.person();
  ada.write('/start', { id: -100, type: 'group' });
  await ada.does(write('/start'));
  await sleep(100);
  expect(ada.received()).toHaveLength(1);
  const chats = await world.owner('SELECT FROM exchange_bot_chat WHERE telegram_user_id < 0');
  expect(chats).toHaveLength(0);
});

test('more than 20 updates in a minute meet one request to wait, then silence until it is over', {
  timeout: 90_000,
}, async () => {
  const ada = world.person();
  for (let nth = 0; nth < 30; nth += 1) ada.write(`hello ${nth}`);
  await until(async () => {
    world.advance(1_000);
    return ada.received().length === 21;
  });
  const handled = async () => {
    const [row] = await world.owner<{ counted: number }>(
      'SELECT counted FROM exchange_bot_chat WHERE telegram_user_id = $1',
      [ada.id],
    );
    return row?.counted;
  };
  // All were sent within the minute, whatever the handling and the sending took.
  await until(async () => (await handled()) === 30);
  expect(ada.received().at(-1)?.text).toContain('Please wait a minute');
  expect(ada.received().filter(({ text }) => text.includes('Please wait'))).toHaveLength(1);
  world.advance(MINUTE_MS);
  ada.write('hello');
  await until(async () => ada.received().length === 22);
  expect(ada.received().at(-1)?.text).toBe('What would you like to do?');
});

test('what was written over an hour while the bot was off is answered, not refused as too much', {
  timeout: 60_000,
}, async () => {
  const ada = world.person();
  await world.stopWorkers();
  for (let nth = 0; nth < 24; nth += 1) {
    ada.write(`hello ${nth}`);
    world.advance(5_000);
  }
  world.startWorker();
  await until(async () => {
    world.advance(1_000);
    return ada.received().length === 24;
  });
  expect(new Set(ada.received().map(({ text }) => text))).toEqual(new Set(['What would you like to do?']));
});

test('the menu of commands follows the language of the bot, and each command does its act', async () => {
  const menu = (language: string) => world.telegram.commandsOf(world.bot.token, language);
  const described = (language: string) =>
    menu(language).find(({ command }) => command === 'prices')?.description;
  await until(async () => described('pl') !== undefined);
  await world.as('PATCH /api/exchange-bot/{id}', { params: { id: world.bot.id }, body: { language: 'es' } });
  await until(async () => described('') === described('es'));
  await world.as('PATCH /api/exchange-bot/{id}', { params: { id: world.bot.id }, body: { language: 'en' } });
  expect(menu('en').map(({ command }) => command)).toEqual([
    'start',
    'prices',
    'access',
    'questions',
    'language',
  ]);
  const ada = world.person();
  await ada.does(write('/start'));
  expect((await ada.does(write('/prices')))[0]?.text).toBe('Choose a plan:');
});

test('what people and communities write is escaped', async () => {
  const ada = world.person();
  await world.owner("UPDATE exchange_bot SET name = '<b>Bot & Co'");
  try {
    // A change is taken up by another session.
    await until(async () => {
      await ada.does(write('/start'));
      return ada.received().at(-1)?.text.includes('<b>Bot & Co') ?? false;
    });
  } finally {
    await world.owner("UPDATE exchange_bot SET name = 'Demo Bot 2000100'");
  }
});

test('an update that fails again and again is answered with an apology, and does not silence the bot', async () => {
  await world.stopWorkers();
  let fails = 0;
  world.startWorker({
    readTerms: async () => {
      fails += 1;
      throw new Error('a mistake of ours');
    },
  });
  const [ada, eve] = [world.person('pl'), world.person()];
  ada.write('hello');
  await eve.does(write('/start'));
  await until(async () => ada.received().length === 1);
  expect(fails).toBe(3);
  expect(ada.received().map(({ text }) => text)).toEqual([
    'Coś poszło nie tak po naszej stronie. Spróbuj ponownie później.',
  ]);
});

test('sent messages are deleted after 90 days, and failed ones are not', async () => {
  const ada = world.person();
  await ada.does(write('/start'));
  await world.stopWorkers();
  const count = async (state: string) =>
    (
      await world.owner('SELECT FROM exchange_bot_message WHERE state = $1 AND telegram_user_id = $2', [
        state,
        ada.id,
      ])
    ).length;
  expect(await count('sent')).toBe(1);
  await pruneBotMessages({ db: world.db, now: () => new Date(world.now().getTime() + 89 * DAY_MS) }, 90);
  expect(await count('sent')).toBe(1);
  await world.owner(
    `INSERT INTO exchange_bot_message (bot_id, telegram_user_id, text, state, problem, due_at, created_at)
     VALUES ($1, $2, 'x', 'failed', 'blocked', now(), now())`,
    [world.bot.id, ada.id],
  );
  await pruneBotMessages({ db: world.db, now: () => new Date(world.now().getTime() + 91 * DAY_MS) }, 90);
  expect([await count('sent'), await count('failed')]).toEqual([0, 1]);
  await world.owner("DELETE FROM exchange_bot_message WHERE state = 'failed'");
});

test('all failed messages are queued again by one call, with one entry of the audit', async () => {
  const ada = world.person();
  await ada.does(write('/start'));
  await world.stopWorkers();
  await world.owner(
    `INSERT INTO exchange_bot_message (bot_id, telegram_user_id, text, state, problem, due_at, created_at)
     SELECT $1, $2, 'again ' || nth, 'failed', 'blocked', now(), now() + nth * interval '1 microsecond'
     FROM generate_series(1, 1002) nth`,
    [world.bot.id, ada.id],
  );
  const retryAll = async () =>
    (await world.as('POST /api/exchange-bot/{id}/messages/retry', { params: { id: world.bot.id } })).data;
  expect(await retryAll()).toEqual({ queued: 1_000, remaining: 2 });
  const left = await world.owner(
    "SELECT text FROM exchange_bot_message WHERE state = 'failed' ORDER BY text",
  );
  expect(left).toEqual([{ text: 'again 1001' }, { text: 'again 1002' }]);
  expect(await retryAll()).toEqual({ queued: 2, remaining: 0 });
  expect(await retryAll()).toEqual({ queued: 0, remaining: 0 });
  const audited = await world.owner(
    "SELECT after FROM audit_entry WHERE action = 'exchange_bot.messages_retried' ORDER BY seq",
  );
  expect(audited).toEqual([{ after: { messages: 1_000 } }, { after: { messages: 2 } }]);
  await world.owner("DELETE FROM exchange_bot_message WHERE text LIKE 'again %'");
});

describe('a message', () => {
  test('to a person who has blocked the bot has failed, is listed, and can be sent again', async () => {
    const ada = world.person();
    await ada.does(write('/start'));
    ada.write('hello');
    ada.block();
    const failed = () =>
      world.as('GET /api/exchange-bot/{id}/messages', {
        params: { id: world.bot.id },
        query: { state: 'failed' },
      });
    await until(async () => {
      world.advance(1_000);
      return (await failed()).data.length === 1;
    });
    const { data, text } = await failed();
    expect(text).not.toContain(CANARY);
    expect(data).toMatchObject([
      {
        telegram_user_id: String(ada.id),
        name: 'Ada Berg',
        state: 'failed',
        problem: 'blocked',
        attempts: 1,
        text: 'What would you like to do?',
      },
    ]);
    const retry = () =>
      world.as('POST /api/exchange-bot/{id}/messages/{messageId}/retry', {
        params: { id: world.bot.id, messageId: data[0].id },
      });
    ada.write('/start');
    await until(async () => ada.received().length === 2);
    expect((await retry()).data).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await retry()).toMatchObject({ status: 409, error: 'message_not_failed' });
    await until(async () => {
      world.advance(1_000);
      return ada.received().length === 3;
    });
    expect((await failed()).data).toEqual([]);
  });

  test('that Telegram is slow to take is sent once', async () => {
    const ada = world.person();
    world.telegram.faults.set({ kind: 'latency', method: 'sendmessage', ms: 600 });
    await ada.does(write('/start'));
    await sleep(1_000);
    expect(ada.received()).toHaveLength(1);
  });

  test('whose answer was lost is the only one that may arrive twice', async () => {
    const ada = world.person();
    world.telegram.faults.set({ kind: 'lost_answer', method: 'sendmessage', times: 1 });
    await ada.does(write('/start'), 2);
    await sleep(300);
    expect(ada.received()).toHaveLength(2);
  });
});

test('no text of a community counts, not even one that an earlier version stored', async () => {
  await world.owner(
    "INSERT INTO exchange_bot_text (bot_id, language, key, text) VALUES ($1, 'pl', 'menu', 'Pay to 0x1')",
    [world.bot.id],
  );
  const ada = world.person('pl');
  expect((await ada.does(write('hello')))[0]?.text).toBe('Co chcesz zrobić?');
  const { data } = await world.as('GET /api/exchange-bot/{id}/texts', {
    params: { id: world.bot.id },
    query: { language: 'pl' },
  });
  expect(data).toContainEqual({ key: 'menu', text: 'Co chcesz zrobić?' });
});
