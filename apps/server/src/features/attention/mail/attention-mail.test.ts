import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { KEYRING } from '../../../../../../tests/support/test-keys.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { openContents } from '../../../platform/work/mail/mail-box.ts';
import type { NewMail } from '../../../platform/work/mail/mails.store.ts';
import { attentionSources } from '../../../wiring/lists/attention-sources.ts';
import { mailAttention } from './attention-mail.job.ts';

const ORIGIN = 'https://desk.example';
const TEST = { kind: 'system', id: 'test', name: 'Test' } as const;
const MORNING = '2026-11-20T07:30:00Z';

let product: TestApp;
let superAdmin: string;
let staff: string;
let community: { id: string; name: string };
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  const [found] = await owner<{ id: string; name: string }>(
    'SELECT id, name FROM community ORDER BY id LIMIT 1',
  );
  community = found as typeof community;
});
afterAll(() => product.close());
beforeEach(async () => {
  await owner('DELETE FROM mail');
  // Rows of people, which workers see besides.
  await product.db.write(WHOLE_SCOPE, TEST, (tx) => sql`DELETE FROM attention_mail`.execute(tx.sql));
  await owner(`DELETE FROM distribution WHERE state = 'awaiting_approval'`);
  await owner(`UPDATE chain_wallet SET frozen_because = NULL, frozen_at = NULL`);
});

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);
const wish = (
  body: { digest_hour?: number | null; at_once?: 'nothing' | 'urgent' | 'approvals' },
  as = superAdmin,
) => send(product.app, 'PATCH /api/me/attention-mail', { body }, as);
const takeTurn = (at = MORNING) =>
  mailAttention({
    db: product.db,
    keyring: KEYRING,
    hasMailer: true,
    origin: ORIGIN,
    log: product.log,
    now: () => new Date(at),
    sources: attentionSources(null),
    rules: { approverMinAgeMs: 0 },
  });
const minutesLater = (minutes: number) => new Date(Date.parse(MORNING) + minutes * 60_000).toISOString();
/** The mails that wait, opened, and gone then. */
async function mails() {
  const rows = await product.db.write(WHOLE_SCOPE, TEST, async (tx) => {
    const found = await sql<NewMail>`SELECT id, kind, recipient, expires_at AS "expiresAt", ciphertext,
      wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId" FROM mail ORDER BY recipient`.execute(
      tx.sql,
    );
    return found.rows;
  });
  await owner('DELETE FROM mail');
  return rows.map((mail) => ({ to: mail.recipient, kind: mail.kind, ...openContents(KEYRING, mail) }));
}
const order = (amount = 5) =>
  owner(
    `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
     VALUES ($1, 'awaiting_approval', $2::numeric * 1e18, 'someone', 'Someone')`,
    [community.id, amount],
  );
const freeze = () =>
  owner(
    `UPDATE chain_wallet SET frozen_because = 'nonce_gap', frozen_at = now()
     WHERE id = (SELECT id FROM chain_wallet WHERE role = 'community' LIMIT 1)`,
  );

test('whoever asked for nothing gets nothing', async () => {
  const { data } = (await send(product.app, 'GET /api/me/attention-mail', {}, superAdmin)).json();
  expect(data).toMatchObject({ digest_hour: null, at_once: 'nothing' });
  await order();
  await takeTurn();
  expect(await mails()).toEqual([]);
});

test('an approval is mailed at once, once, with a link to the list', async () => {
  await wish({ at_once: 'approvals' });
  await takeTurn();
  // What waits already is new to whoever begins.
  await mails();
  await order();
  await takeTurn(minutesLater(20));
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    to: 'super@demo.example',
    kind: 'attention',
    subject: '1 approval waits for you',
  });
  expect(mail?.text).toContain(`- Distribution to approve: ${community.name} (5 USDT), since `);
  expect(mail?.text).toContain(`${ORIGIN}/approvals\n`);
  await takeTurn(minutesLater(40));
  expect(await mails()).toEqual([]);
});

test('what comes within ten minutes after a mail waits for the next one, and comes in it', async () => {
  await wish({ at_once: 'approvals' });
  await takeTurn();
  await mails();
  await order(5);
  await takeTurn(minutesLater(20));
  expect(await mails()).toHaveLength(1);
  await order(6);
  await order(7);
  await takeTurn(minutesLater(29));
  expect(await mails()).toEqual([]);
  await takeTurn(minutesLater(30));
  expect((await mails())[0]?.subject).toBe('2 approvals wait for you');
});

test('what was decided and is ordered again is new', async () => {
  await wish({ at_once: 'approvals' });
  await takeTurn();
  await mails();
  await order();
  await takeTurn(minutesLater(20));
  await owner(`DELETE FROM distribution WHERE state = 'awaiting_approval'`);
  await takeTurn(minutesLater(31));
  await order();
  await takeTurn(minutesLater(32));
  expect(await mails()).toHaveLength(2);
});

test('a name that holds a link is not in a mail', async () => {
  await wish({ at_once: 'approvals' });
  await takeTurn();
  await mails();
  await owner('UPDATE community SET name = $2 WHERE id = $1', [community.id, 'Prize at evil.example/win']);
  try {
    await order();
    await takeTurn(minutesLater(20));
    const [mail] = await mails();
    expect(mail?.text).toContain('- Distribution to approve (5 USDT)');
    expect(mail?.text).not.toContain('evil');
  } finally {
    await owner('UPDATE community SET name = $2 WHERE id = $1', [community.id, community.name]);
  }
});

test('each gets what its own list has: staff no approvals, and who is disabled nothing', async () => {
  await wish({ at_once: 'approvals' });
  await wish({ at_once: 'approvals' }, staff);
  await takeTurn();
  await mails();
  await order();
  await takeTurn(minutesLater(20));
  expect((await mails()).map(({ to }) => to)).toEqual(['super@demo.example']);
  const setDisabled = (at: string | null) =>
    owner(
      `UPDATE identity.user_access SET disabled_at = $1::timestamptz
       WHERE user_id = (SELECT id FROM identity."user" WHERE email = 'super@demo.example')`,
      [at],
    );
  await setDisabled(new Date().toISOString());
  await order(8);
  await takeTurn(minutesLater(40));
  expect(await mails()).toEqual([]);
  await setDisabled(null);
});

test('who is mailed what is urgent gets no approvals, and urgency in the subject', async () => {
  await wish({ at_once: 'urgent' });
  await takeTurn();
  await mails();
  await order();
  await takeTurn(minutesLater(20));
  expect(await mails()).toEqual([]);
  await owner(
    `INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address, frozen_because, frozen_at)
     SELECT 99, 'community', $1, 90001, '0x' || repeat('9a', 20), 'nonce_gap', now()
     WHERE NOT EXISTS (SELECT FROM chain_wallet WHERE role = 'community')`,
    [community.id],
  );
  await freeze();
  await takeTurn(minutesLater(40));
  const [mail] = await mails();
  expect(mail?.subject).toBe('Urgent: 1 thing waits for you');
  expect(mail?.text).toContain('- Frozen wallet');
});

test('a digest comes once a day at the hour of the own zone, and not when nothing waits', async () => {
  await send(product.app, 'PATCH /api/me/settings', { body: { time_zone: 'Europe/Berlin' } }, superAdmin);
  await wish({ digest_hour: 9 });
  await order();
  // 08:30 in Berlin.
  await takeTurn(MORNING);
  expect(await mails()).toEqual([]);
  await takeTurn(minutesLater(31));
  await takeTurn(minutesLater(33));
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail?.subject).toMatch(/things? waits? for you today$/);
  expect(mail?.text).toMatch(/Approvals: \d+/);
  // The next day.
  await takeTurn(minutesLater(31 + 24 * 60));
  expect(await mails()).toHaveLength(1);
});

test('a digest reminds whoever took an item and left it for a day', async () => {
  await wish({ digest_hour: 7 });
  await owner(`INSERT INTO money_order (act, state, needs, community_id, amount_units, facts, requested_at, requested_by_id,
    requested_by) VALUES ('credit_tipped', 'awaiting_approval', '{above_limit}', '${community.id}', 7e18, '{}',
      '2026-11-01', 'someone', 'Someone')`);
  const listed = (
    await send(product.app, 'GET /api/attention', { query: { limit: '200' } }, superAdmin)
  ).json();
  const { kind, subject, provider_id, cause, version } = listed.data.find(
    (item: { kind: string }) => item.kind === 'order_waiting',
  );
  const taken = { kind, subject, provider_id, cause, version, act: { kind: 'take' } } as const;
  expect((await send(product.app, 'PUT /api/attention/mark', { body: taken }, superAdmin)).statusCode).toBe(
    200,
  );
  await owner(`UPDATE attention_mark SET taken_at = '2026-11-18T09:00:00Z'`);
  await takeTurn();
  const [mail] = await mails();
  expect(mail?.text).toMatch(
    /- Order to approve.*\. You took it Nov 18, 2026, 9:00 AM UTC, and it is not done\n/,
  );
  await owner('DELETE FROM attention_mark');
  await owner(`DELETE FROM money_order WHERE state = 'awaiting_approval'`);
});

test('two workers at once write one mail', async () => {
  await wish({ at_once: 'approvals' });
  await takeTurn();
  await mails();
  await order();
  await Promise.all(Array.from({ length: 6 }, () => takeTurn(minutesLater(20))));
  expect(await mails()).toHaveLength(1);
});

test('what one changes of it stays as another tab has it, and others do not see it', async () => {
  await wish({ digest_hour: 7 });
  await wish({ at_once: 'urgent' });
  const read = async (as: string) =>
    (await send(product.app, 'GET /api/me/attention-mail', {}, as)).json().data;
  expect(await read(superAdmin)).toMatchObject({ digest_hour: 7, at_once: 'urgent' });
  expect(await read(staff)).toMatchObject({ digest_hour: null, at_once: 'nothing' });
  expect((await wish({ digest_hour: 24 })).statusCode).toBe(400);
});
