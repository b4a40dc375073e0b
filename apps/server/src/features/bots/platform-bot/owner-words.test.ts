import { expect, test } from 'vitest';
import { until } from '../../../../../../tests/support/until.ts';
import { BOT_TOKEN } from '../../../../../../tests/support/world/messaging-world.ts';
import { BOT_ID, confirm, notMe, useOwners } from '../../../../../../tests/support/world/owners-world.ts';
import { hearOwner, type OwnerWord } from '../../../core/transfers/addresses/owner-words.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { releaseAddressesAsOperator } from '../../../wiring/operator-orders.ts';

const owners = useOwners();
const {
  openBot,
  workersBot,
  as,
  addOwner,
  changeAddress,
  changeOf,
  waiting,
  tell,
  untilReceived,
  asked,
  disowned,
} = owners;

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
  await owners.world.owner(
    `UPDATE payout_address_change SET changed_at = now() - interval '25 hours' WHERE id = $1`,
    [changeId],
  );
  expect((await changeOf(owner.id)).is_held).toBe(false);
  const [entry] = await owners.world.owner(
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
  await releaseAddressesAsOperator(owners.world.db);
  expect((await changeOf(owner.id)).released_by_id).toBeNull();
  const release = (token: string) =>
    as('POST /api/super-admin/payout-addresses/{id}/release', { params: { id: changeId } }, token);
  expect((await release(owners.author)).status).toBe(403);
  expect((await release(owners.other)).status).toBe(200);
});
test('a word counts once, also when Telegram sends it to two workers at once', async () => {
  const { owner, changeId } = await asked();
  const word = (kind: OwnerWord['kind'], updateId: number): OwnerWord => ({
    kind,
    changeId,
    telegramUserId: owner.telegramUserId,
    botTelegramId: BOT_ID,
    updateId,
  });
  const hear = (one: OwnerWord) =>
    owners.world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => hearOwner(tx, one));
  const heard = await Promise.all([
    hear(word('confirmed', 7)),
    hear(word('confirmed', 7)),
    hear(word('not_me', 8)),
    hear(word('confirmed', 9)),
  ]);
  const outcomes = heard.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'confirmed' || outcome === 'not_me')).toHaveLength(1);
  expect(
    await owners.world.owner('SELECT FROM payout_address_word WHERE change_id = $1', [changeId]),
  ).toHaveLength(1);
});

test('one worker reads: another takes over once the lease of the first has ended, and the first is out', async () => {
  const lease = async () =>
    (
      await owners.world.owner<{ answered_by: string; lease_number: string }>(
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
  // The clock of a worker ends no lease.
  owners.world.advance(61_000);
  await workersBot().turn();
  expect(await lease()).toEqual(before);
  await owners.world.owner('UPDATE platform_bot_reading SET leased_until = now()');
  await workersBot().turn();
  const after = await lease();
  expect(after?.lease_number).toBe('2');
  expect(after?.answered_by).not.toBe(before?.answered_by);
  await Promise.all(both.map((bot) => bot.turn()));
  expect(await lease()).toEqual(after);
  const { owner, changeId, count } = await asked();
  owner.person.press(confirm(changeId));
  await untilReceived(owner, count + 1);
  expect(
    await owners.world.owner('SELECT FROM payout_address_word WHERE change_id = $1', [changeId]),
  ).toHaveLength(1);
});

test('a message that the API wrote asks about no other address than the real one', async () => {
  const owner = await addOwner();
  await workersBot().turn();
  const { address, changeId } = await changeAddress(owner);
  await owners.world.owner(`SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true);
    INSERT INTO message (trader_id, kind, language, text, dedupe_key, state, requested_by)
    VALUES ('${owner.id}', 'wallet_changed', 'en', 'Press Confirm to get 10 USDT', 'wallet_changed:${changeId}', 'queued', 'x')`);
  await tell();
  owners.world.startSender();
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
  owners.world.telegram.setWebhook(BOT_TOKEN, 'https://other.example/hook');
  await until(async () => (await problem()) === 'webhook');
  // It would be null if the webhook had been removed.
  owners.world.advance(1_000);
  expect(await problem()).toBe('webhook');
  owners.world.telegram.setWebhook(BOT_TOKEN, '');
  await until(async () => (await problem()) === null);
  const rival = openBot()(BOT_TOKEN);
  const stop = new AbortController();
  await until(async () => {
    void rival.getUpdates(null, stop.signal).catch(() => {});
    return (await problem()) === 'other_reader';
  });
  stop.abort();
});
