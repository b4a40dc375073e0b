import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { authCall, call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { type MailServer, startMailServer } from '../../../../../../tests/support/mail-server.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { KEYRING, ROTATED } from '../../../../../../tests/support/test-keys.ts';
import { rotateMasterKey } from '../../secrets/rotate-master-key.ts';
import { SEALED_MAILS } from './mail-box.ts';
import { createMailer, pruneMails, takeMailTurn } from './mailer.ts';
import { createSmtp, type SendMail } from './smtp.ts';

const EMAIL = 'staff@demo.example';
const MINUTE_MS = 60_000;

let world: World;
let server: MailServer;
/** Where `world` sends: a test may point it elsewhere. */
let smtpUrl: string;
const send: SendMail = async (mail) => createSmtp(smtpUrl, 'Copydesk <no-reply@desk.example>')?.(mail);
beforeAll(async () => {
  world = await createWorld({ hasMail: true, sendMail: send });
});
afterAll(() => world?.close());
beforeEach(async () => {
  server = await startMailServer();
  smtpUrl = server.url;
  await asOwner(world.ownerUrl, 'DELETE FROM mail');
});

interface Row extends Record<string, unknown> {
  kind: string;
  recipient: string;
  state: string;
  problem: string | null;
  attempts: number;
  due_in_s: number;
  whole: string;
}
/** The mails as stored, as of the clock of the world. */
const rows = () =>
  asOwner<Row>(
    world.ownerUrl,
    `SELECT m.kind, m.recipient, m.state, m.problem, m.attempts, m::text AS whole,
       round(extract(epoch FROM m.due_at - '${world.now().toISOString()}'::timestamptz))::int AS due_in_s
     FROM mail m ORDER BY m.created_at`,
  );
let network = 0;
const askReset = (email = EMAIL) =>
  authCall(world, '/request-password-reset', { body: { email }, address: `192.0.2.${++network}` });
const tokenIn = (mail = '') => /reset\?token=(\S+)/.exec(mail)?.[1] ?? '';
const pass = (ms: number) => {
  world.clock.offsetMs += ms;
};
const mailer = () => {
  const made = createMailer({ db: world.db, keyring: KEYRING, send, log: world.log, now: world.now });
  if (!made) throw new Error('it has a server');
  return made;
};
const notice = (to: string) => ({
  kind: 'account_changed' as const,
  to,
  subject: 'Changed',
  text: 'Something.',
});

test('a reset that the mail server refuses for now is sent within seconds, though the person reads the same', async () => {
  server.replies.push('451 4.7.1 greylisted, try again');
  const asked = await askReset();
  const unknown = await askReset('unknown@demo.example');
  expect([asked.status, asked.body]).toEqual([unknown.status, unknown.body]);
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1);
  expect(await rows()).toMatchObject([{ kind: 'password_reset', recipient: EMAIL, state: 'waiting' }]);
  await world.sendWaiting();
  expect(server.taken, 'before it is due again').toEqual([]);

  pass(6_000);
  await world.sendWaiting();
  expect(server.taken).toHaveLength(1);
  expect(await rows(), 'a mail that was sent is not kept').toEqual([]);
  const token = tokenIn(server.taken[0]);
  const chosen = await authCall(world, '/reset-password', {
    body: { token, newPassword: 'a new long password' },
  });
  expect(chosen.status).toBe(200);
  expect(world.logged.join('')).not.toMatch(/greylisted|reset\?token/);
});

test('a mail waits for a server that is away, in the database and sealed, and each attempt waits longer', async () => {
  smtpUrl = 'smtp://127.0.0.1:9';
  await askReset();
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1);
  expect((await rows())[0]?.whole).not.toMatch(/token|password at|Copydesk/);
  const delays: (number | undefined)[] = [];
  for (let n = 0; n < 7; n++) {
    delays.push((await rows())[0]?.due_in_s);
    pass((delays.at(-1) ?? 0) * 1_000 + 1_000);
    await world.sendWaiting();
  }
  expect(delays).toEqual([5, 15, 45, 135, 300, 300, 300]);

  // As a worker that has just started: nothing of it is in memory.
  smtpUrl = server.url;
  pass(5 * MINUTE_MS);
  await takeMailTurn({ db: world.db, keyring: KEYRING, send, log: world.log, now: world.now });
  expect(tokenIn(server.taken[0])).toMatch(/^\S{20,}$/);
});

test('a mail is given up once its link has ended, and its contents are gone', async () => {
  smtpUrl = 'smtp://127.0.0.1:9';
  await askReset();
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1);
  smtpUrl = server.url;
  pass(61 * MINUTE_MS);
  await world.sendWaiting();
  expect(server.taken).toEqual([]);
  expect(await rows()).toMatchObject([{ state: 'failed', problem: 'expired' }]);

  // Without a worker that sends, the schedule gives it up, and deletes it after a month.
  await asOwner(world.ownerUrl, 'DELETE FROM mail');
  smtpUrl = 'smtp://127.0.0.1:9';
  expect(await mailer().send(notice(EMAIL))).toBe('waiting');
  await pruneMails({ db: world.db, now: world.now });
  expect(await rows()).toHaveLength(1);
  pass(73 * 60 * MINUTE_MS);
  await pruneMails({ db: world.db, now: world.now });
  expect(await rows()).toMatchObject([{ state: 'failed', problem: 'expired' }]);
  await asOwner(world.ownerUrl, "UPDATE mail SET created_at = created_at - interval '28 days'");
  await pruneMails({ db: world.db, now: world.now });
  expect(await rows()).toEqual([]);
});

test('a mail that is refused for good is not tried again, and super admins see it', async () => {
  const { authorization } = await signInAs(world, 'super');
  const invite = (email: string) =>
    call(world, ['POST', '/api/users/invitations'], { authorization, body: { email } });
  server.replies.push('550 5.1.1 no such user canary');
  const refused = await invite('refused@desk.example');
  expect(refused.body.data).toMatchObject({ e_mailed: false, is_waiting: false });
  expect(refused.body.data.link).toContain('/accept?token=');
  pass(10 * MINUTE_MS);
  await world.sendWaiting();
  expect(server.taken).toEqual([]);
  expect(await rows()).toMatchObject([{ state: 'failed', problem: '550' }]);
  const later = await signInAs(world, 'super');
  const person = await call(world, ['GET', `/api/users/${refused.body.data.id}`], later);
  expect(person.body.data.failed_mail).toMatchObject({ problem: '550' });
  expect(world.logged.join('')).not.toContain('canary');
});

test('an invitation that waits says so, and shows no link', async () => {
  const { authorization } = await signInAs(world, 'super');
  server.replies.push('450 4.2.1 busy');
  const { body } = await call(world, ['POST', '/api/users/invitations'], {
    authorization,
    body: { email: 'waits@desk.example' },
  });
  expect(body.data).toMatchObject({ e_mailed: true, is_waiting: true, link: null });
  pass(6_000);
  await world.sendWaiting();
  expect(server.taken[0]).toContain('/accept?token=');
});

test('what is about our own set-up and not about the mail is never final', async () => {
  for (const reply of ['530 5.7.0 authentication required', '421 4.3.2 closing', '503 5.5.1 sequence']) {
    server.replies.push(reply);
    expect(await mailer().send(notice(EMAIL)), reply).toBe('waiting');
  }
  expect((await rows()).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting']);
  server.replies.push('552 5.2.2 mailbox full');
  expect(await mailer().send(notice(EMAIL))).toBe('failed');
});

test('processes that send at once send each mail once', async () => {
  smtpUrl = 'smtp://127.0.0.1:9';
  const people = Array.from({ length: 20 }, (_, n) => `person-${n}@desk.example`);
  await Promise.all(people.map((to) => mailer().send(notice(to))));
  smtpUrl = server.url;
  pass(6_000);
  await Promise.all(Array.from({ length: 4 }, world.sendWaiting));
  const addressed = server.taken.map((mail) => /^To: (\S+)/m.exec(mail)?.[1]);
  expect(addressed.sort()).toEqual(people.sort());
});

test('while a process sends a mail, no other does, and one that died is replaced', async () => {
  const dying = createMailer({
    db: world.db,
    keyring: KEYRING,
    send: () => new Promise(() => {}),
    log: world.log,
    now: world.now,
  });
  void dying?.send(notice(EMAIL));
  await expect.poll(async () => (await rows()).length).toBe(1);
  await world.sendWaiting();
  expect(server.taken).toEqual([]);
  pass(2 * MINUTE_MS + 1_000);
  // A worker whose clock is ahead: the lease is of the database's clock.
  await world.sendWaiting();
  expect(server.taken).toEqual([]);
  await asOwner(world.ownerUrl, 'UPDATE mail SET leased_until = now()');
  await world.sendWaiting();
  expect(server.taken).toHaveLength(1);
});

test('mails that wait are wrapped with the next master key, and one whose key is lost fails', async () => {
  onTestFinished(async () => void (await asOwner(world.ownerUrl, 'DELETE FROM mail')));
  smtpUrl = 'smtp://127.0.0.1:9';
  await mailer().send(notice('first@desk.example'));
  await rotateMasterKey(world.db, ROTATED.there, [SEALED_MAILS]);
  await mailer().send(notice('second@desk.example'));
  smtpUrl = server.url;
  pass(6_000);
  const next = { db: world.db, keyring: KEYRING, send, log: world.log, now: world.now };
  while (await takeMailTurn(next));
  expect(server.taken.map((mail) => /^To: (\S+)/m.exec(mail)?.[1])).toEqual(['second@desk.example']);
  expect(await rows()).toMatchObject([
    { recipient: 'first@desk.example', state: 'failed', problem: 'unreadable' },
  ]);
});
