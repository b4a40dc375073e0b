import { telegramUserIdOf } from '@copydesk/simulators/world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../../../tests/support/until.ts';
import {
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../../tests/support/world/messaging-world.ts';
import { createBotPace } from '../../../core/outbox/bot-pace.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { startPersonMessageSender } from './person-message-sender.ts';
import { queuePersonMessage } from './person-messages.store.ts';

let world: MessagingWorld;
beforeAll(async () => {
  world = await createMessagingWorld();
});
afterAll(() => world?.close());

test('traders and people of the console together get as many messages as Telegram takes', {
  timeout: 60_000,
}, async () => {
  const { db, log, now } = world;
  const traders = await Promise.all(Array.from({ length: 60 }, () => world.addTrader()));
  const ids = await world.queue(traders);
  const chats = Array.from({ length: 70 }, (_, nth) => 12_000 + nth).filter((nth) => nth % 29 !== 0);
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    for (const nth of chats)
      await queuePersonMessage(
        tx,
        {
          userId: null,
          kind: 'disconnected',
          telegramUserId: telegramUserIdOf(nth),
          text: '1 < 2',
          dedupeKey: `test:${nth}`,
        },
        new Date(now()),
      );
  });
  const pace = createBotPace({ perSecond: 25, atOnce: 16, now });
  world.startSender({ pace });
  const sender = startPersonMessageSender({ db, telegram: world.bot(), pace, log, now, lookEveryMs: 20 });
  const read = () =>
    db.read(
      WHOLE_SCOPE,
      (tx) => tx.sql.selectFrom('person_message').select(['state', 'attempts', 'problem']).execute(),
      WORKER_ACTOR,
    );
  try {
    await until(async () => (await world.statesOf(ids)).sent === ids.length);
    await until(async () => (await read()).every(({ state }) => state === 'sent'));
    // Telegram never asked to wait.
    expect(Math.max(...(await read()).map(({ attempts }) => attempts))).toBe(1);
    const tried = await world.owner<{ most: number }>('SELECT max(attempts)::int AS most FROM message');
    expect(tried).toEqual([{ most: 1 }]);
    const texts = world.telegram.outbox.list().map(({ text }) => text);
    expect(texts.filter((text) => text === '1 < 2')).toHaveLength(chats.length);
  } finally {
    await sender.stop();
  }
});
