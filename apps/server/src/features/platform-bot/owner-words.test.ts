import { randomUUID } from 'node:crypto';
import { telegramUserIdOf } from '@copydesk/simulators/world';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import { KEYRING } from '../../../../../tests/support/test-keys.ts';
import { until } from '../../../../../tests/support/until.ts';
import { newAddress } from '../../../../../tests/support/world/addresses.ts';
import {
  BOT_TOKEN,
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../tests/support/world/messaging-world.ts';
import { hearOwner, type OwnerWord } from '../../core/payout-addresses/owner-words.ts';
import { createOpenBot } from '../../integrations/telegram/create-bot-client.ts';
import { createReadBot } from '../../integrations/telegram/read-bot.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/jobs/worker-actor.ts';
import { releaseAddressesAsOperator } from '../../wiring/operator-orders.ts';
import { tellMembers } from '../pools/flows/tell-members.ts';
import { createPlatformBot } from './platform-bot-loop.ts';

const BOT_ID = BOT_TOKEN.split(':')[0] as string;

let world: MessagingWorld;
let author: string;
let other: string;
let lastChat = 9_000;
beforeAll(async () => {
  world = await createMessagingWorld({ hasLimits: false });
  author = await world.signIn('super');
  other = await world.signIn('super-2');
});
afterAll(() => world?.close());
afterEach(async () => {
  await Promise.all([...bots].map((bot) => bot.stop()));
  bots.clear();
  await world.stopSenders();
  world.telegram.faults.clear();
  world.telegram.setWebhook(BOT_TOKEN, '');
  await world.owner('DELETE FROM platform_bot');
  await world.owner('DELETE FROM platform_bot_reading');
});

const bots = new Set<ReturnType<typeof createPlatformBot>>();
const openBot = () => createOpenBot({ apiUrl: world.telegram.url, timeoutMs: 2_000, pollSeconds: 1 });

/** The bot of a worker, whose environment has the token. */
function workersBot(environmentToken: string | null = BOT_TOKEN) {
  const bot = createPlatformBot({
    db: world.db,
    keyring: KEYRING,
    environmentToken,
    open: world.bot,
    openBot: openBot(),
    isLocked: false,
    readBot: createReadBot({ apiUrl: world.telegram.url, timeoutMs: 2_000 }),
    log: world.log,
    now: world.now,
  });
  bots.add(bot);
  return bot;
}

async function as(call: string, parts: Parameters<typeof send>[2] = {}, token = author) {
  const answer = await send(world.app, call, parts, token);
  return { status: answer.statusCode, body: answer.json() };
}

/** A trader who started the bot, and whose Telegram id is this old. */
async function addOwner(idAgeDays = 31, language = 'en') {
  do lastChat += 1;
  while (lastChat % 29 === 0);
  const telegramUserId = telegramUserIdOf(lastChat);
  const id = await world.addTrader({ telegram_user_id: telegramUserId, language });
  await ageTelegram(id, idAgeDays);
  const person = world.telegram.person(BOT_TOKEN, { id: Number(telegramUserId) });
  person.write('/start');
  return { id, telegramUserId: Number(telegramUserId), person };
}
type Owner = Awaited<ReturnType<typeof addOwner>>;
const ageTelegram = (traderId: string, days: number) =>
  world.owner(`UPDATE trader SET telegram_set_at = now() - make_interval(days => $2::int) WHERE id = $1`, [
    traderId,
    days,
  ]);

async function changeAddress({ id }: Pick<Owner, 'id'>, address = newAddress(), by = author) {
  const answer = await as(
    'PATCH /api/traders/{id}',
    { params: { id }, body: { external_wallet_address: address } },
    by,
  );
  expect(answer.status).toBe(200);
  return { address, changeId: (await changeOf(id)).id };
}
const changeOf = async (traderId: string) => {
  const [row] = await world.owner<{
    id: string;
    released_by_id: string | null;
    released_by: string | null;
    is_held: boolean;
  }>(
    `SELECT id, released_by_id, released_by, app.is_held(released_at, changed_at, interval '24 hours') AS is_held
     FROM payout_address_change WHERE owner_kind = 'trader' AND owner_id = $1`,
    [traderId],
  );
  if (!row) throw new Error('the address has not changed');
  return row;
};
const wordOn = async (changeId: string) =>
  (
    await world.owner<{ kind: string }>('SELECT * FROM payout_address_word WHERE change_id = $1', [changeId])
  )[0];
const waiting = async (changeId: string) => {
  const { body } = await as('GET /api/super-admin/payout-addresses', { query: { limit: '200' } }, other);
  return body.data.find((each: { change_id: string }) => each.change_id === changeId);
};
async function tell() {
  while (await tellMembers(world));
}
/** What the sender and the reader of a worker do until the person has this many messages. */
async function untilReceived({ person }: Owner, count: number) {
  await until(async () => {
    world.advance(1_100);
    return person.received().length >= count;
  });
  return person.received();
}
const noEffect = async (owner: Owner, count: number) => {
  expect((await untilReceived(owner, count)).at(-1)?.text).toMatch(/no effect/);
};

/** An owner who was asked about a new address. */
async function asked(owner?: Owner) {
  const found = owner ?? (await addOwner());
  await workersBot().turn();
  const before = found.person.received().length;
  const change = await changeAddress(found);
  await tell();
  world.startSender();
  const received = await untilReceived(found, before + 1);
  return { owner: found, ...change, question: received[before], count: before + 1 };
}
const confirm = (changeId: string) => `wallet:confirmed:${changeId}`;
const notMe = (changeId: string) => `wallet:not_me:${changeId}`;

test('an owner confirms a new address: it is released, and its waiting time goes on', async () => {
  const { owner, address, changeId, question, count } = await asked();
  expect(question?.text).toContain(address);
  expect(question?.text).toMatch(/not before .* UTC/);
  expect(question?.keyboard).toEqual([
    [
      { text: 'Confirm', callback_data: confirm(changeId) },
      { text: 'Not me', callback_data: notMe(changeId) },
    ],
  ]);
  expect(await waiting(changeId)).toMatchObject({ awaits_release: true, owner_word: null });

  owner.person.press(confirm(changeId));
  const answers = await untilReceived(owner, count + 1);
  expect(answers.at(-1)?.text).toMatch(/^Confirmed\. Payouts go to your wallet/);
  expect(await changeOf(owner.id)).toMatchObject({
    id: changeId,
    released_by_id: 'owner',
    released_by: 'its owner by Telegram',
    is_held: true,
  });
  expect(await waiting(changeId)).toBeUndefined();
  await world.owner(
    `UPDATE payout_address_change SET changed_at = now() - interval '25 hours' WHERE id = $1`,
    [changeId],
  );
  expect((await changeOf(owner.id)).is_held).toBe(false);
  const [entry] = await world.owner(
    `SELECT actor_name, after FROM audit_entry WHERE action = 'payout_address.confirmed' AND target_id = $1`,
    [owner.id],
  );
  expect(entry).toEqual({ actor_name: 'owner by Telegram', after: { owner_kind: 'trader', address } });
});

test('"Not me" holds the address until a super admin decides, and is in the security log', async () => {
  const before = await disowned();
  const { owner, changeId, count } = await asked(await addOwner(31, 'pl'));
  expect(owner.person.received().at(-1)?.keyboard?.[0]?.[1]?.text).toBe('To nie ja');
  owner.person.press(notMe(changeId));
  expect((await untilReceived(owner, count + 1)).at(-1)?.text).toMatch(/dopóki nie zdecyduje administrator/);
  expect(await waiting(changeId)).toMatchObject({ owner_word: { kind: 'not_me' }, can_release: true });
  expect((await changeOf(owner.id)).is_held).toBe(true);
  await until(async () => (await disowned()) === before + 1);
  // Neither a second thought nor the list of the operator's command releases it.
  owner.person.press(confirm(changeId));
  await untilReceived(owner, count + 2);
  await releaseAddressesAsOperator(world.db);
  expect((await changeOf(owner.id)).released_by_id).toBeNull();
  const release = (token: string) =>
    as('POST /api/super-admin/payout-addresses/{id}/release', { params: { id: changeId } }, token);
  expect((await release(author)).status).toBe(403);
  expect((await release(other)).status).toBe(200);
});
const disowned = async () => {
  const [row] = await world.owner<{ n: number }>(
    "SELECT coalesce(sum(count), 0)::int AS n FROM refused_attempt WHERE code = 'address_disowned'",
  );
  return row?.n as number;
};

test('a word counts once, also when Telegram sends it to two workers at once', async () => {
  const { owner, changeId } = await asked();
  const word = (kind: OwnerWord['kind'], updateId: number): OwnerWord => ({
    kind,
    changeId,
    telegramUserId: owner.telegramUserId,
    botTelegramId: BOT_ID,
    updateId,
  });
  const hear = (one: OwnerWord) => world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => hearOwner(tx, one));
  const heard = await Promise.all([
    hear(word('confirmed', 7)),
    hear(word('confirmed', 7)),
    hear(word('not_me', 8)),
    hear(word('confirmed', 9)),
  ]);
  const outcomes = heard.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'confirmed' || outcome === 'not_me')).toHaveLength(1);
  expect(await world.owner('SELECT FROM payout_address_word WHERE change_id = $1', [changeId])).toHaveLength(
    1,
  );
});

test('one worker reads: another takes over once the lease of the first has ended, and the first is out', async () => {
  const lease = async () =>
    (
      await world.owner<{ answered_by: string; lease_number: string }>(
        'SELECT answered_by, lease_number FROM platform_bot_reading',
      )
    )[0];
  const both = [workersBot(), workersBot()];
  await Promise.all(both.map((bot) => bot.turn()));
  const before = await lease();
  expect(before?.lease_number).toBe('1');
  // While both live, the same one goes on.
  await Promise.all(both.map((bot) => bot.turn()));
  expect(await lease()).toEqual(before);
  world.advance(61_000);
  await workersBot().turn();
  const after = await lease();
  expect(after?.lease_number).toBe('2');
  expect(after?.answered_by).not.toBe(before?.answered_by);
  await Promise.all(both.map((bot) => bot.turn()));
  expect(await lease()).toEqual(after);
  const { owner, changeId, count } = await asked();
  owner.person.press(confirm(changeId));
  await untilReceived(owner, count + 1);
  expect(await world.owner('SELECT FROM payout_address_word WHERE change_id = $1', [changeId])).toHaveLength(
    1,
  );
});

describe('a word without effect', () => {
  test('about an address that was replaced, or that a super admin released', async () => {
    const first = await asked();
    const second = await changeAddress(first.owner);
    first.owner.person.press(confirm(first.changeId));
    await noEffect(first.owner, first.count + 1);
    expect(await wordOn(first.changeId)).toBeUndefined();
    expect((await changeOf(first.owner.id)).released_by_id).toBeNull();
    const { status } = await as(
      'POST /api/super-admin/payout-addresses/{id}/release',
      { params: { id: second.changeId } },
      other,
    );
    expect(status).toBe(200);
    await tell();
    // The question came before the release, the press after it.
    const late = await asked(await addOwner());
    await as('POST /api/super-admin/payout-addresses/{id}/release', { params: { id: late.changeId } }, other);
    const before = await disowned();
    late.owner.person.press(notMe(late.changeId));
    await noEffect(late.owner, late.count + 1);
    expect(await wordOn(late.changeId)).toBeUndefined();
    // It is an alarm all the same: money goes there after the waiting time.
    await until(async () => (await disowned()) === before + 1);
  });

  test('of another person who presses the button', async () => {
    const { changeId, owner } = await asked();
    const stranger = await addOwner();
    await openBot()(BOT_TOKEN).send({
      chatId: String(stranger.telegramUserId),
      text: 'forwarded',
      keyboard: [[{ text: 'Confirm', data: confirm(changeId) }]],
      png: null,
    });
    stranger.person.press(confirm(changeId));
    const heard = await world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      hearOwner(tx, {
        kind: 'not_me',
        changeId,
        telegramUserId: stranger.telegramUserId,
        botTelegramId: BOT_ID,
        updateId: 3,
      }),
    );
    expect(heard).toEqual({ outcome: 'stranger', isDisowned: false, traderId: null });
    // Whatever comes after it is read after it.
    const next = await asked(stranger);
    stranger.person.press(confirm(next.changeId));
    await until(async () => (await wordOn(next.changeId)) !== undefined);
    expect(await wordOn(changeId)).toBeUndefined();
    expect((await changeOf(owner.id)).released_by_id).toBeNull();
  });

  test('from an id that was changed less than 30 days ago, which is not asked either', async () => {
    const recent = await addOwner(10);
    await workersBot().turn();
    await changeAddress(recent);
    await tell();
    expect(await world.messagesOf(recent.id)).toEqual([]);

    const { owner, changeId, count } = await asked();
    await ageTelegram(owner.id, 10);
    owner.person.press(confirm(changeId));
    await noEffect(owner, count + 1);
    expect(await wordOn(changeId)).toBeUndefined();
  });

  test('is all that remains when a person types the Telegram id, and types the earlier one again', async () => {
    const { owner, changeId, count } = await asked();
    const [before] = await world.owner<{ telegram_user_id: string }>(
      'SELECT telegram_user_id FROM trader WHERE id = $1',
      [owner.id],
    );
    for (const id of ['77', before?.telegram_user_id as string])
      await world.owner(
        `SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true);
         UPDATE trader SET telegram_user_id = '${id}' WHERE id = '${owner.id}'`,
      );
    owner.person.press(confirm(changeId));
    await noEffect(owner, count + 1);
    expect((await changeOf(owner.id)).released_by_id).toBeNull();
  });

  test('by a bot that one person stored: it counts 30 days after a worker first read it', async () => {
    const stored = '2000777:demo-stored-by-one-person-alone';
    expect((await as('PUT /api/platform-bot', { body: { token: stored } })).status).toBe(200);
    const bot = workersBot();
    await bot.turn();
    const reading = async () => (await as('GET /api/platform-bot')).body.data.reading;
    const days = (Date.parse((await reading()).counts_from) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    const owner = await addOwner();
    const person = world.telegram.person(stored, { id: owner.telegramUserId });
    person.write('/start');
    await changeAddress(owner);
    await tell();
    expect(await world.messagesOf(owner.id)).toEqual([]);
    await world.owner('UPDATE platform_bot_reading SET counts_from = now()');
    await tell();
    world.startSender({ telegram: bot.gateway });
    await untilReceived({ ...owner, person }, 1);
    expect(person.received()[0]?.keyboard).toHaveLength(1);
    // The bot of the environment counts at once, and another stored one does not.
    await as('DELETE /api/platform-bot');
    await bot.turn();
    expect(Date.parse((await reading()).counts_from)).toBeLessThanOrEqual(Date.now());
  });
});

test('a message that the API wrote asks about no other address than the real one', async () => {
  const owner = await addOwner();
  await workersBot().turn();
  const { address, changeId } = await changeAddress(owner);
  await world.owner(`SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true);
    INSERT INTO message (trader_id, kind, language, text, dedupe_key, state, requested_by)
    VALUES ('${owner.id}', 'wallet_changed', 'en', 'Press Confirm to get 10 USDT', 'wallet_changed:${changeId}', 'queued', 'x')`);
  await tell();
  world.startSender();
  const [question] = await untilReceived(owner, 1);
  expect(question?.text).toContain(address);
  expect(question?.text).not.toContain('10 USDT');
});

test('another reader of the bot and a webhook are named, and the webhook stays', async () => {
  const bot = workersBot();
  const problem = async () => {
    await bot.turn();
    return (await as('GET /api/platform-bot')).body.data.reading?.problem;
  };
  expect(await problem()).toBeNull();
  world.telegram.setWebhook(BOT_TOKEN, 'https://other.example/hook');
  await until(async () => (await problem()) === 'webhook');
  // It would be null if the webhook had been removed.
  world.advance(1_000);
  expect(await problem()).toBe('webhook');
  world.telegram.setWebhook(BOT_TOKEN, '');
  await until(async () => (await problem()) === null);
  const rival = openBot()(BOT_TOKEN);
  const stop = new AbortController();
  await until(async () => {
    void rival.getUpdates(null, stop.signal).catch(() => {});
    return (await problem()) === 'other_reader';
  });
  stop.abort();
});

describe('the login of the API', () => {
  const asApi = (text: string) =>
    world.owner(`SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true); ${text}`);
  const asWorker = (text: string) =>
    world.owner(`SET LOCAL ROLE copydesk_worker; SELECT set_config('copydesk.scope', 'all', true); ${text}`);
  const insertWord = (
    owner: Pick<Owner, 'id' | 'telegramUserId'>,
    {
      changeId,
      address,
      kind = 'confirmed',
      bot = BOT_ID,
    }: Record<'changeId' | 'address', string> & { kind?: string; bot?: string },
  ) => `INSERT INTO payout_address_word (change_id, kind, trader_id, address, bot_telegram_id, update_id, telegram_user_id)
    VALUES ('${changeId}', '${kind}', '${owner.id}', '${address}', ${bot}, 1, ${owner.telegramUserId})`;

  test('writes no words, and nothing that makes them count', async () => {
    const owner = await addOwner();
    await workersBot().turn();
    const change = await changeAddress(owner);
    const release = (by: string) =>
      `UPDATE payout_address_change SET released_at = now(), released_by_id = '${by}', released_by = 'x'
       WHERE id = '${change.changeId}'`;
    for (const statement of [
      insertWord(owner, change),
      `UPDATE payout_address_word SET kind = 'confirmed'`,
      'DELETE FROM payout_address_word',
      `UPDATE platform_bot_reading SET counts_from = 'epoch'`,
      `INSERT INTO platform_bot_reading (telegram_id, counts_from) VALUES (1, 'epoch')`,
      'DELETE FROM platform_bot_reading',
    ])
      await expect(asApi(statement), statement).rejects.toThrow(/permission denied/);
    await expect(asApi(release('owner'))).rejects.toThrow(/released by an independent/);
    // Not even a worker does, without a word.
    await expect(asWorker(release('owner'))).rejects.toThrow(/with a word of its owner/);
    await expect(
      asApi(`UPDATE trader SET telegram_set_at = 'epoch' WHERE id = '${owner.id}'`),
    ).rejects.toThrow(/the database writes/);
    const id = randomUUID();
    await asApi(`INSERT INTO trader (id, community_id, referral_code, telegram_user_id, telegram_set_at)
      SELECT '${id}', community_id, '${id}', '4711', 'epoch' FROM trader WHERE id = '${owner.id}'`);
    const [made] = await world.owner<{ counts: boolean }>(
      'SELECT app.telegram_counts(telegram_user_id, telegram_set_at) AS counts FROM trader WHERE id = $1',
      [id],
    );
    expect(made).toEqual({ counts: false });
    await asApi(
      `UPDATE trader SET telegram_user_id = '4711', telegram_set_at = 'epoch' WHERE id = '${owner.id}'`,
    );
    await expect(asWorker(insertWord({ ...owner, telegramUserId: 4711 }, change))).rejects.toThrow(
      /from an id that counts/,
    );
  });

  test('releases nothing by a word about another address, another bot or another person', async () => {
    const owner = await addOwner();
    const stranger = await addOwner();
    await workersBot().turn();
    const change = await changeAddress(owner);
    for (const statement of [
      insertWord(owner, { ...change, address: newAddress() }),
      insertWord(owner, { ...change, changeId: randomUUID() }),
      insertWord(owner, { ...change, bot: '2000501' }),
      insertWord({ ...owner, telegramUserId: stranger.telegramUserId }, change),
      insertWord(stranger, change),
    ])
      await expect(asWorker(statement), statement).rejects.toThrow(/from an id that counts/);
    await asWorker(insertWord(owner, change));
    expect((await changeOf(owner.id)).released_by_id).toBe('owner');
    // The word belongs to this change: the next one waits again.
    await changeAddress(owner);
    expect((await changeOf(owner.id)).released_by_id).toBeNull();
    await expect(asWorker(insertWord(owner, change))).rejects.toThrow();
  });

  test('cannot give a word to the address of a community or a referrer', async () => {
    const owner = await addOwner();
    await workersBot().turn();
    await world.owner(
      `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_by_id)
       VALUES ('community_referrer', $1, $2, 'x')`,
      [owner.id, newAddress()],
    );
    const [row] = await world.owner<{ id: string; address: string }>(
      "SELECT id, address FROM payout_address_change WHERE owner_kind = 'community_referrer' AND owner_id = $1",
      [owner.id],
    );
    await expect(
      asWorker(insertWord(owner, { changeId: row?.id as string, address: row?.address as string })),
    ).rejects.toThrow(/from an id that counts/);
  });
});
