import { createHash, randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { KEYRING } from '../../../../../../tests/support/test-keys.ts';
import { until } from '../../../../../../tests/support/until.ts';
import {
  BOT_TOKEN,
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../../tests/support/world/messaging-world.ts';
import { createBotPace } from '../../../core/outbox/bot-pace.ts';
import { createOpenBot } from '../../../integrations/telegram/create-bot-client.ts';
import { createReadBot } from '../../../integrations/telegram/read-bot.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { openContents } from '../../../platform/work/mail/mail-box.ts';
import type { NewMail } from '../../../platform/work/mail/mails.store.ts';
import type { WorkLoop } from '../../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { attentionSources } from '../../../wiring/lists/attention-sources.ts';
import { createPlatformBot } from '../../bots/platform-bot/platform-bot-loop.ts';
import { mailAttention } from '../mail/attention-mail.job.ts';
import { hashOfCode, hearPerson } from './hear-person.ts';
import { saveChat, saveRequest } from './person-chat.store.ts';
import { startPersonMessageSender } from './person-message-sender.ts';
import { prunePersonMessages, queuePersonMessage } from './person-messages.store.ts';

const ORIGIN = 'https://desk.example';
const SUPER = 'super@demo.example';
const LINK_OVER = 'This link is no longer valid. Ask for a new one in your settings.';

let world: MessagingWorld;
let superAdmin: string;
let other: string;
let staff: string;
let community: { id: string; name: string };
let lastPerson = 70_000;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  world = await createMessagingWorld({ hasLimits: false });
  [superAdmin, other, staff] = (await Promise.all(
    (['super', 'super-2', 'staff'] as const).map((who) => world.signIn(who)),
  )) as [string, string, string];
  const [found] = await world.owner<{ id: string; name: string }>(
    'SELECT id, name FROM community ORDER BY id LIMIT 1',
  );
  community = found as typeof community;
});
afterAll(() => world?.close());
beforeEach(async () => {
  for (const table of ['attention_mail', 'person_message', 'person_chat', 'person_chat_request', 'mail'])
    await worker(sql`DELETE FROM ${sql.table(table)}`);
  await world.owner(`DELETE FROM distribution WHERE state = 'awaiting_approval'`);
  await startBot();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  world.telegram.faults.clear();
  await world.owner('DELETE FROM platform_bot_reading');
});

/** Rows of people, which only they and workers see. */
const worker = async <R = Record<string, unknown>>(statement: RawBuilder<unknown>) =>
  (await world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => statement.execute(tx.sql))).rows as R[];
const now = () => new Date(world.now());

/** The platform's bot and the sender of a worker. */
async function startBot(): Promise<void> {
  const { db, log, telegram } = world;
  const bot = createPlatformBot({
    db,
    token: BOT_TOKEN,
    openBot: createOpenBot({ apiUrl: telegram.url, timeoutMs: 2_000, pollSeconds: 1 }),
    readBot: createReadBot({ apiUrl: telegram.url, timeoutMs: 2_000 }),
    hearOther: (update, botId) => hearPerson({ keyring: KEYRING, origin: ORIGIN, now }, update, botId),
    log,
    now: world.now,
  });
  await bot.turn();
  running.push(bot, startSender());
}
const startSender = (): WorkLoop =>
  startPersonMessageSender({
    db: world.db,
    telegram: world.bot(),
    pace: createBotPace({ perSecond: 25, atOnce: 16, now: world.now }),
    log: world.log,
    now: world.now,
    lookEveryMs: 20,
  });

const as = async (call: string, body?: object, token = superAdmin) => {
  const answer = await send(world.app, call, body ? { body } : {}, token);
  return { status: answer.statusCode, ...answer.json() };
};
const settings = async (token = superAdmin) =>
  (await as('GET /api/me/attention-mail', undefined, token)).data;
/** By the call itself, which a person may make a few times a minute. */
async function askLink(): Promise<string> {
  const { status, data } = await as('POST /api/me/telegram');
  expect(status).toBe(200);
  expect(new URL(data.url).origin + new URL(data.url).pathname).toBe('https://t.me/copydesk_demo_bot');
  return new URL(data.url).searchParams.get('start') as string;
}
/** A code of a link as the call makes it. */
async function codeOf(token = superAdmin): Promise<string> {
  const { data } = await as('GET /api/me', undefined, token);
  const code = randomBytes(32).toString('base64url');
  const expiresAt = new Date(world.now() + 15 * 60_000);
  await world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    saveRequest(tx, data.id, { codeHash: hashOfCode(code), expiresAt }),
  );
  return code;
}
function newPerson(changes: { username?: string; first_name?: string } = { username: 'ada' }) {
  lastPerson += 1;
  return { id: lastPerson, ...world.telegram.person(BOT_TOKEN, { id: lastPerson, ...changes }) };
}
type Person = ReturnType<typeof newPerson>;
const textsOf = (person: Person) => person.received().map(({ text }) => text);
const untilReceived = (person: Person, count: number) =>
  until(async () => {
    world.advance(1_100);
    return person.received().length >= count;
  });
/** Whatever was written before has been handled: updates are read in order, and this one changes a row. */
async function untilHeard(): Promise<void> {
  const probe = newPerson({ username: 'probe' });
  probe.write(`/start ${'x'.repeat(43)}`);
  await untilReceived(probe, 1);
}

/** A chat that is connected and chosen. */
async function connected(token = superAdmin, person = newPerson()): Promise<Person> {
  const before = person.received().length;
  person.write(`/start ${await codeOf(token)}`);
  await untilReceived(person, before + 1);
  expect((await as('PATCH /api/me/attention-mail', { channel: 'telegram' }, token)).status).toBe(200);
  return person;
}
const wish = (body: object, token = superAdmin) => as('PATCH /api/me/attention-mail', body, token);
const takeTurn = (changes: { hasMailer?: boolean; at?: Date } = {}) =>
  mailAttention({
    db: world.db,
    keyring: KEYRING,
    hasMailer: changes.hasMailer ?? true,
    origin: ORIGIN,
    log: world.log,
    now: () => changes.at ?? now(),
    sources: attentionSources(null),
    rules: { approverMinAgeMs: 0 },
  });
const order = (amount = 5) =>
  world.owner(
    `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
     VALUES ($1, 'awaiting_approval', $2::numeric * 1e18, 'someone', 'Someone')`,
    [community.id, amount],
  );
async function mails() {
  const rows =
    await worker<NewMail>(sql`DELETE FROM mail RETURNING id, kind, recipient, expires_at AS "expiresAt",
    ciphertext, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`);
  return rows.map((mail) => ({ to: mail.recipient, kind: mail.kind, ...openContents(KEYRING, mail) }));
}
const audited = (action: string) =>
  world.owner<{ actor_kind: string; actor_name: string; target_id: string; before: unknown; after: unknown }>(
    'SELECT actor_kind, actor_name, target_id, before, after FROM audit_entry WHERE action = $1 ORDER BY seq',
    [action],
  );
const setDisabled = (email: string, at: string | null) =>
  world.owner(
    `UPDATE identity.user_access SET disabled_at = $2::timestamptz
     WHERE user_id = (SELECT id FROM identity."user" WHERE email = $1)`,
    [email, at],
  );
/** An approval that is new to a person who wants to be told of approvals. */
async function newApproval(token = superAdmin, turn: Parameters<typeof takeTurn>[0] = {}) {
  await wish({ at_once: 'approvals' }, token);
  await takeTurn(turn);
  world.advance(11 * 60_000);
  await mails();
  await order();
}

test('a code connects a chat, of which the person is told by mail, and what waits arrives there', async () => {
  expect(await settings()).toMatchObject({ channel: 'mail', telegram: { is_possible: true, chat: null } });
  const person = newPerson();
  const code = await askLink();
  expect(code).toMatch(/^[\w-]{43}$/);
  person.write(`/start ${code}`);
  await untilReceived(person, 1);
  expect(textsOf(person)[0]).toMatch(/^This chat now receives what waits for you at https:\/\/desk\.example/);
  expect((await settings()).telegram.chat).toMatchObject({ name: '@ada', problem: null });
  expect(world.logged.join('')).not.toContain(code);
  const [mail] = await mails();
  expect(mail).toMatchObject({ to: SUPER, kind: 'account_changed' });
  const entry = (await audited('user.telegram_connected')).at(-1);
  expect(entry).toMatchObject({ actor_kind: 'system', after: { telegram_name: '@ada' } });

  await wish({ channel: 'telegram' });
  await newApproval();
  const before = person.received().length;
  await takeTurn();
  await untilReceived(person, before + 1);
  expect(textsOf(person).at(-1)).toMatch(
    /^1 approval waits for you\n\nNew since the last message:\n\n- Dist/,
  );
  expect(textsOf(person).at(-1)).toContain(`${ORIGIN}/approvals`);
  expect(await mails()).toEqual([]);
});

test('a digest arrives by Telegram at its hour, once', async () => {
  const person = await connected();
  const at = now();
  await wish({ digest_hour: at.getUTCHours() });
  await order();
  await mails();
  const before = person.received().length;
  await Promise.all(Array.from({ length: 4 }, () => takeTurn({ at })));
  const written = await worker(sql`SELECT kind FROM person_message WHERE kind = 'digest'`);
  expect(written).toHaveLength(1);
  await untilReceived(person, before + 1);
  expect(textsOf(person).at(-1)).toMatch(/things? waits? for you today\n/);
  expect(await mails()).toEqual([]);
});

test('the database has no code, and the newest link alone counts', async () => {
  const first = await askLink();
  const second = await askLink();
  const [row] = await worker<{ code_hash: Buffer; text: string }>(
    sql`SELECT code_hash, r::text AS text FROM person_chat_request r`,
  );
  expect(row?.code_hash.equals(createHash('sha256').update(second).digest())).toBe(true);
  expect(row?.text).not.toContain(second);
  const person = newPerson();
  person.write(`/start ${first}`);
  await untilReceived(person, 1);
  expect(textsOf(person)).toEqual([LINK_OVER]);
  expect((await settings()).telegram.chat).toBeNull();
});

test('a second press has no answer; another chat with the used link is told that it is over', async () => {
  const person = newPerson();
  const code = await codeOf();
  person.write(`/start ${code}`);
  await untilReceived(person, 1);
  person.write(`/start ${code}`);
  const stranger = newPerson({ username: 'mallory' });
  stranger.write(`/start ${code}`);
  await untilReceived(stranger, 1);
  await untilHeard();
  expect(person.received()).toHaveLength(1);
  expect(textsOf(stranger)).toEqual([LINK_OVER]);
  expect((await settings()).telegram.chat.name).toBe('@ada');
});

test('an expired link connects nothing, and a stranger gets one answer a minute', async () => {
  const code = await codeOf();
  await worker(sql`UPDATE person_chat_request SET expires_at = ${now()}`);
  const stranger = newPerson();
  for (let nth = 0; nth < 5; nth += 1) stranger.write(`/start ${code}`);
  // Neither a greeting nor another payload is about a link of the settings.
  stranger.write('/start');
  stranger.write('/start ref-ada');
  await until(async () => stranger.received().length > 0);
  const probe = newPerson();
  probe.write(`/start ${code}`);
  await until(async () => probe.received().length > 0);
  expect(textsOf(stranger)).toEqual([LINK_OVER]);
  world.advance(61_000);
  stranger.write(`/start ${code}`);
  await untilReceived(stranger, 2);
  expect((await settings()).telegram.chat).toBeNull();
});

test("a group's code and a bot's connect nothing", async () => {
  const person = newPerson();
  const code = await codeOf();
  person.write(`/start ${code}`, { id: -100, type: 'group' });
  await untilHeard();
  expect((await settings()).telegram.chat).toBeNull();
  const message = {
    date: 1,
    chat: { id: 5, type: 'private' },
    from: { id: 5, is_bot: true, first_name: 'Bot' },
    text: `/start ${code}`,
  };
  expect(hearPerson({ keyring: null, origin: ORIGIN, now }, { update_id: 1, message }, '1')).toBeNull();
});

test('each connects its own account: two people, staff and super admin, with one chat and with two', async () => {
  const ada = await connected();
  const eve = newPerson({ first_name: '<b>Eve\u202e\u200b</b>  of\nnone'.repeat(4) });
  await connected(staff, eve);
  expect((await settings()).telegram.chat.name).toBe('@ada');
  const { name } = (await settings(staff)).telegram.chat;
  expect(name).toMatch(/^<b>Eve <\/b> of none/);
  expect(name.length).toBeLessThanOrEqual(64);
  expect((await settings(other)).telegram.chat).toBeNull();
  await connected(other, ada);
  expect((await settings(other)).telegram.chat.name).toBe('@ada');
});

test('a disabled person connects nothing, and what waits to be sent to it is withdrawn', async () => {
  const code = await codeOf();
  await setDisabled(SUPER, new Date().toISOString());
  try {
    const person = newPerson();
    person.write(`/start ${code}`);
    await untilReceived(person, 1);
    expect(textsOf(person)).toEqual([LINK_OVER]);
    expect(await worker(sql`SELECT FROM person_chat`)).toEqual([]);
  } finally {
    await setDisabled(SUPER, null);
  }
  const person = await connected();
  await newApproval();
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await takeTurn();
  await setDisabled(SUPER, new Date().toISOString());
  try {
    const before = person.received().length;
    running.push(startSender());
    await until(
      async () => (await worker(sql`SELECT FROM person_message WHERE state = 'queued'`)).length === 0,
    );
    expect(person.received()).toHaveLength(before);
  } finally {
    await setDisabled(SUPER, null);
  }
});

test('/stop ends a chat for all of its people, who get mails again', async () => {
  const person = await connected();
  await connected(other, person);
  const before = person.received().length;
  person.write('/stop');
  await untilReceived(person, before + 1);
  expect(textsOf(person).at(-1)).toBe('This chat is disconnected, and receives nothing more.');
  for (const token of [superAdmin, other])
    expect(await settings(token)).toMatchObject({ channel: 'mail', telegram: { chat: null } });
  expect(await audited('user.telegram_disconnected')).toHaveLength(2);
  // Without a chat it means nothing.
  person.write('/stop');
  await untilHeard();
  expect(person.received()).toHaveLength(before + 1);
  await newApproval();
  await takeTurn();
  expect((await mails()).map(({ to }) => to)).toEqual([SUPER]);
});

test('a person disconnects its chat in the settings: what was queued is gone, and again it has no effect', async () => {
  const person = await connected();
  await newApproval();
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await takeTurn();
  const before = (await audited('user.telegram_disconnected')).length;
  for (const _ of [1, 2]) expect((await as('DELETE /api/me/telegram')).status).toBe(200);
  expect(await audited('user.telegram_disconnected')).toHaveLength(before + 1);
  expect(await worker(sql`SELECT FROM person_message WHERE state = 'queued'`)).toEqual([]);
  expect(await settings()).toMatchObject({ channel: 'mail', telegram: { chat: null } });
  expect(await wish({ channel: 'telegram' })).toMatchObject({ status: 409, error: 'telegram_not_connected' });
  expect(person.received().length).toBeGreaterThan(0);
});

test('what a blocked chat did not take is mailed, and so is what comes, until it is connected again', async () => {
  const person = await connected();
  await newApproval();
  person.block();
  await takeTurn();
  await until(async () => (await settings()).telegram.chat.problem === 'blocked');
  expect(await mails()).toEqual([]);
  await takeTurn();
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: SUPER, kind: 'attention', subject: '1 approval waits for you' });
  expect(mail?.text).toMatch(/^New since the last message:\n\n- Distribution to approve/);
  await takeTurn();
  expect(await mails()).toEqual([]);
  // The next one does not even try.
  world.advance(11 * 60_000);
  await order(6);
  await takeTurn();
  expect((await mails()).map(({ subject }) => subject)).toEqual(['1 approval waits for you']);
  expect(await settings()).toMatchObject({ channel: 'telegram' });
  // The last message is kept: it says that the chat cannot be reached.
  world.advance(40 * 86_400_000);
  await prunePersonMessages({ db: world.db, now }, 30);
  expect((await settings()).telegram.chat.problem).toBe('blocked');
  const again = await connected(superAdmin, person);
  expect((await settings()).telegram.chat.problem).toBeNull();
  world.advance(11 * 60_000);
  await order(7);
  await mails();
  const before = again.received().length;
  await takeTurn();
  await untilReceived(again, before + 1);
  expect(await mails()).toEqual([]);
});

test('without a mail server a chat gets what waits, and whoever has none gets nothing', async () => {
  const person = await connected();
  await wish({ at_once: 'approvals' }, other);
  await newApproval(superAdmin, { hasMailer: false });
  const before = person.received().length;
  await takeTurn({ hasMailer: false });
  await untilReceived(person, before + 1);
  expect(await mails()).toEqual([]);
});

test('what Telegram did not take for half an hour is mailed, and not sent any more', async () => {
  const person = await connected();
  await newApproval();
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await takeTurn();
  const before = person.received().length;
  world.advance(29 * 60_000);
  await takeTurn();
  expect(await mails()).toEqual([]);
  world.advance(2 * 60_000);
  await takeTurn();
  expect((await mails()).map(({ subject }) => subject)).toEqual(['1 approval waits for you']);
  await takeTurn();
  expect(await mails()).toEqual([]);
  expect((await settings()).telegram.chat.problem).toBe('unavailable');
  // The next one is tried by Telegram again.
  running.push(startSender());
  await order(6);
  await takeTurn();
  await untilReceived(person, before + 1);
  expect(await mails()).toEqual([]);
  expect((await settings()).telegram.chat.problem).toBeNull();
});

test('a message that could not be sent for four hours is dropped', async () => {
  const person = await connected();
  await newApproval();
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await takeTurn();
  const before = person.received().length;
  world.advance(4 * 3_600_000 + 1_000);
  running.push(startSender());
  await until(
    async () =>
      (await worker(sql`SELECT FROM person_message WHERE kind = 'news' AND state <> 'sent'`)).length === 0,
  );
  expect(person.received()).toHaveLength(before);
});

test('two workers at once write one message, and send it once', async () => {
  const person = await connected();
  await newApproval();
  running.push(startSender(), startSender());
  const before = person.received().length;
  await Promise.all(Array.from({ length: 6 }, () => takeTurn()));
  await untilReceived(person, before + 1);
  await until(
    async () => (await worker(sql`SELECT FROM person_message WHERE state = 'queued'`)).length === 0,
  );
  expect(person.received()).toHaveLength(before + 1);
});

test('without a bot no link is given', async () => {
  await world.owner('UPDATE platform_bot_use SET username = NULL');
  try {
    expect(await as('POST /api/me/telegram')).toMatchObject({ status: 409, error: 'telegram_no_bot' });
    expect((await settings()).telegram.is_possible).toBe(false);
  } finally {
    await world.owner(`UPDATE platform_bot_use SET username = 'copydesk_demo_bot'`);
  }
});

test('the login of the API writes neither chats nor messages, and sees those of its caller alone', async () => {
  await connected();
  const client = new pg.Client({ connectionString: world.ownerUrl });
  await client.connect();
  const [{ id }] = (await world.owner<{ id: string }>(
    `SELECT id FROM identity."user" WHERE email = '${SUPER}'`,
  )) as [{ id: string }];
  async function attempt(statement: string, caller: string): Promise<number | string> {
    await client.query('BEGIN');
    try {
      await client.query(
        `SELECT set_config('role', 'copydesk_app', true), set_config('copydesk.scope', 'all', true),
           set_config('copydesk.caller', $1, true)`,
        [caller],
      );
      return (await client.query(statement)).rowCount ?? 0;
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await client.query('ROLLBACK');
    }
  }
  try {
    const own = `user:${id}`;
    for (const statement of [
      `INSERT INTO person_chat SELECT * FROM person_chat`,
      `UPDATE person_chat SET telegram_user_id = 1`,
      `INSERT INTO person_message (telegram_user_id, kind, text, dedupe_key, due_at, created_at)
         VALUES (1, 'link_over', 'x', 'x', now(), now())`,
      `UPDATE person_message SET text = 'x'`,
    ])
      expect([statement, await attempt(statement, own)]).toEqual([statement, '42501']);
    for (const table of ['person_chat', 'person_message']) {
      expect(await attempt(`SELECT FROM ${table}`, own)).toBe(1);
      expect(await attempt(`SELECT FROM ${table}`, 'user:someone')).toBe(0);
      expect(await attempt(`DELETE FROM ${table}`, 'user:someone')).toBe(0);
    }
  } finally {
    await client.end();
  }
});

test('a person who is deleted leaves neither a chat nor a link nor messages', async () => {
  const [{ id }] = (await world.owner<{ id: string }>(
    `INSERT INTO identity."user" (id, name, email, email_verified)
     VALUES (gen_random_uuid(), 'Gone', 'gone@work.example', true) RETURNING id`,
  )) as [{ id: string }];
  const chat = { telegramUserId: 5, name: null, botTelegramId: '1', codeHash: hashOfCode('a') };
  await world.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await saveRequest(tx, id, { codeHash: hashOfCode('b'), expiresAt: now() });
    await saveChat(tx, id, chat, now());
    const to = { userId: id, telegramUserId: 5, text: 'x', dedupeKey: 'gone' };
    await queuePersonMessage(tx, { ...to, kind: 'connected' }, now());
  });
  await world.owner('DELETE FROM identity."user" WHERE id = $1', [id]);
  for (const table of ['person_chat', 'person_chat_request', 'person_message'])
    expect(await worker(sql`SELECT FROM ${sql.table(table)}`)).toEqual([]);
});
