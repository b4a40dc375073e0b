import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEYRING } from '../../../../../tests/support/test-keys.ts';
import {
  type BillingWorld,
  createBillingWorld,
  DAY,
} from '../../../../../tests/support/world/billing-world.ts';
import { createOwnerLinks } from '../../core/outbox/owner-link.ts';
import { takeMailTurn } from '../../platform/work/mail/mailer.ts';
import { type Mail, MailError } from '../../platform/work/mail/smtp.ts';
import { handOverMail, remindOfSubscriptions } from './reminders.job.ts';

let world: BillingWorld;
const sent: Mail[] = [];
beforeAll(async () => {
  world = await createBillingWorld();
});
afterAll(() => world?.close());

const remind = (hasMailer = true) =>
  remindOfSubscriptions({
    ...world.deps,
    graceDays: 7,
    hasMailer,
    origin: 'https://console.example.com',
    links: createOwnerLinks(KEYRING, 'https://console.example.com', 'community'),
  });
/** Both at once, as two workers would. */
const remindTwice = () => Promise.all([remind(), remind()]);
/** What two workers do, until nothing is due. */
const sendAll = async (send = async (mail: Mail) => void sent.push(mail)) => {
  const deps = { ...world.deps, keyring: KEYRING, send };
  const worker = async () => {
    while (await handOverMail(deps));
    while (await takeMailTurn(deps));
  };
  await Promise.all([worker(), worker()]);
};
const messagesOf = (id: string) =>
  world.owner<{ kind: string; text: string; state: string }>(
    'SELECT kind, text, state FROM message WHERE community_id = $1 ORDER BY created_at',
    [id],
  );
const mailsOf = (id: string) =>
  world.owner<{ kind: string; user_id: string; state: string }>(
    'SELECT kind, user_id, state FROM billing_mail WHERE community_id = $1 ORDER BY created_at',
    [id],
  );
const kinds = (rows: { kind: string }[]) => rows.map(({ kind }) => kind);

async function withOwner() {
  const { id, customer } = await world.subscribe();
  await world.owner(
    "UPDATE community SET owner_telegram_id = 4711, owner_name = 'Olga', owner_language = 'es' WHERE id = $1",
    [id],
  );
  return { id, customer };
}

test('a failed payment, the end of the grace period and the end are reported once each', async () => {
  const { id, customer } = await withOwner();
  await remindTwice();
  expect(await messagesOf(id)).toEqual([]);
  await world.billing.act('card_declines', { customer });
  await world.advance(32);
  await remindTwice();
  await remind();
  expect(kinds(await messagesOf(id))).toEqual(['payment_failed']);
  expect((await messagesOf(id))[0]).toMatchObject({
    state: 'queued',
    text: expect.stringMatching(
      /Olga[\s\S]*ha fallado[\s\S]*href="https:\/\/console\.example\.com\/community-owner#/,
    ),
  });
  const supers = await world.owner<{ id: string }>(
    'SELECT id FROM identity.person WHERE super AND is_active AND disabled_at IS NULL',
  );
  expect((await mailsOf(id)).map(({ user_id }) => user_id).sort()).toEqual(
    supers.map(({ id: one }) => one).sort(),
  );

  const { grace_until: until } = await world.subscriptionOf(id);
  const daysLeft = (Date.parse(until) - world.now().getTime()) / (DAY * 1_000);
  await world.advance(daysLeft - 1);
  await remindTwice();
  expect(kinds(await messagesOf(id))).toEqual(['payment_failed', 'grace_ending']);
  await world.advance(2);
  await remindTwice();
  expect((await world.subscriptionOf(id)).status).toBe('lapsed');
  await world.advance(7);
  await remindTwice();
  expect((await world.subscriptionOf(id)).status).toBe('canceled');
  expect(kinds(await messagesOf(id))).toEqual(['payment_failed', 'grace_ending', 'subscription_ended']);

  await sendAll();
  const own = sent.filter(({ text }) => text.includes(id));
  expect(own).toHaveLength(3 * supers.length);
  expect(new Set(own.map(({ messageId }) => messageId)).size).toBe(own.length);
  expect(own[0]?.text).toContain(`https://console.example.com/community-settings/${id}`);
  expect(own[0]?.subject).not.toMatch(/\n/);
  expect(new Set((await mailsOf(id)).map(({ state }) => state))).toEqual(new Set(['sent']));
  sent.length = 0;
  await sendAll();
  expect(sent).toEqual([]);
});

test('the owners of a provider hear of their community instead of the super admins', async () => {
  const { id, customer } = await world.subscribe();
  const [person] = await world.owner<{ id: string }>(
    `UPDATE identity.user_access a SET staff_roles = jsonb_build_object(cp.provider_id::text, 'owner')
     FROM community_provider cp
     WHERE cp.community_id = $1 AND cp.provider_id = ANY (a.provider_ids) AND a.accepted_at IS NOT NULL
       AND a.user_id = (SELECT min(o.user_id::text)::uuid FROM identity.user_access o
         WHERE cp.provider_id = ANY (o.provider_ids) AND o.accepted_at IS NOT NULL)
     RETURNING a.user_id AS id`,
    [id],
  );
  expect(person).toBeDefined();
  await world.billing.act('card_declines', { customer });
  await world.advance(32);
  await remind();
  expect(await mailsOf(id)).toMatchObject([{ kind: 'payment_failed', user_id: person?.id }]);
  expect(await messagesOf(id)).toEqual([]);
});

test('a mail server that fails is tried again, and no mail is written without one', async () => {
  const { id, customer } = await world.subscribe();
  await world.billing.act('cancel_now', { customer });
  await world.work();
  await remind(false);
  expect(await mailsOf(id)).toEqual([]);
  await remind();
  expect(kinds(await mailsOf(id))).toContain('subscription_ended');
  let failures = 0;
  await sendAll(async () => {
    failures += 1;
    throw new MailError('451', false);
  });
  expect(failures).toBeGreaterThan(0);
  expect(await world.owner("SELECT 1 FROM mail WHERE state = 'waiting'")).toHaveLength(failures);
  sent.length = 0;
  await world.advance(1);
  await sendAll();
  expect(sent.some(({ text }) => text.includes(id))).toBe(true);
});
