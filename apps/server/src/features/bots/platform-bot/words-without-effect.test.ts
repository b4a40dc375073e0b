import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { until } from '../../../../../../tests/support/until.ts';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import { BOT_TOKEN } from '../../../../../../tests/support/world/messaging-world.ts';
import {
  BOT_ID,
  confirm,
  notMe,
  type Owner,
  useOwners,
} from '../../../../../../tests/support/world/owners-world.ts';
import { hearOwner } from '../../../core/transfers/addresses/owner-words.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';

const owners = useOwners();
const {
  openBot,
  workersBot,
  as,
  addOwner,
  ageTelegram,
  changeAddress,
  changeOf,
  wordOn,
  tell,
  noEffect,
  asked,
  disowned,
} = owners;

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
      owners.other,
    );
    expect(status).toBe(200);
    await tell();
    // The question came before the release, the press after it.
    const late = await asked(await addOwner());
    await as(
      'POST /api/super-admin/payout-addresses/{id}/release',
      { params: { id: late.changeId } },
      owners.other,
    );
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
    const heard = await owners.world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
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
    expect(await owners.world.messagesOf(recent.id)).toEqual([]);

    const { owner, changeId, count } = await asked();
    await ageTelegram(owner.id, 10);
    owner.person.press(confirm(changeId));
    await noEffect(owner, count + 1);
    expect(await wordOn(changeId)).toBeUndefined();
  });

  test('is all that remains when a person types the Telegram id, and types the earlier one again', async () => {
    const { owner, changeId, count } = await asked();
    const [before] = await owners.world.owner<{ telegram_user_id: string }>(
      'SELECT telegram_user_id FROM trader WHERE id = $1',
      [owner.id],
    );
    for (const id of ['77', before?.telegram_user_id as string])
      await owners.world.owner(
        `SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true);
         UPDATE trader SET telegram_user_id = '${id}' WHERE id = '${owner.id}'`,
      );
    owner.person.press(confirm(changeId));
    await noEffect(owner, count + 1);
    expect((await changeOf(owner.id)).released_by_id).toBeNull();
  });
});

describe('the login of the API', () => {
  const asApi = (text: string) =>
    owners.world.owner(
      `SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true); ${text}`,
    );
  const asWorker = (text: string) =>
    owners.world.owner(
      `SET LOCAL ROLE copydesk_worker; SELECT set_config('copydesk.scope', 'all', true); ${text}`,
    );
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
    const [made] = await owners.world.owner<{ counts: boolean }>(
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
    await owners.world.owner(
      `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_by_id)
       VALUES ('community_referrer', $1, $2, 'x')`,
      [owner.id, newAddress()],
    );
    const [row] = await owners.world.owner<{ id: string; address: string }>(
      "SELECT id, address FROM payout_address_change WHERE owner_kind = 'community_referrer' AND owner_id = $1",
      [owner.id],
    );
    await expect(
      asWorker(insertWord(owner, { changeId: row?.id as string, address: row?.address as string })),
    ).rejects.toThrow(/from an id that counts/);
  });
});
