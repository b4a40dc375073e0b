import type { Scope } from '@copydesk/domain/access';
import { BOT_TEXT_KEYS } from '@copydesk/domain/exchange-bot';
import { MOST_MESSAGES_RETRIED } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import { previewRetry, queueSelectedAgain } from '../../../../core/outbox/retry-selection.ts';
import type { Database, Tx, WriteTx } from '../../../../platform/db/database.ts';
import type { Handlers } from '../../../../platform/http/handlers.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { findBot } from '../bot/bots.views.ts';
import { DEFAULT_BOT_TEXTS } from '../texts/defaults/defaults.ts';
import { queueBotMessageAgain, queueFailedAgain } from './bot-messages.store.ts';
import {
  type BotMessage,
  countAllBotMessages,
  countBotMessages,
  findBotMessage,
  listAllBotMessages,
  listBotMessages,
  selectedBotMessages,
} from './bot-messages.views.ts';

type AnswerCall =
  | 'GET /api/exchange-bot/{id}/texts'
  | 'GET /api/exchange-bot/{id}/messages'
  | `POST /api/exchange-bot/{id}/messages/${'' | '{messageId}/'}retry`
  | 'GET /api/exchange-bot-messages'
  | `POST /api/exchange-bot-messages/retry${'' | '-preview'}`;

/** What the bots say: our texts, and the messages that did not arrive. */
export function createAnswerRoutes({
  db,
  now,
}: {
  db: Database;
  now: () => Date;
}): Pick<Handlers, AnswerCall> {
  const readBot = <T>(scope: Scope, id: string, read: (tx: Tx) => Promise<T>) =>
    db.read(scope, async (tx) => {
      if (!(await findBot(tx, id))) throw new Refusal('not_found');
      return read(tx);
    });

  return {
    'GET /api/exchange-bot/{id}/texts': async ({ scope, params: { id }, query: { language } }) => ({
      success: true,
      data: await readBot(scope, id, async () =>
        BOT_TEXT_KEYS.map((key) => ({ key, text: DEFAULT_BOT_TEXTS[language][key] })),
      ),
    }),

    'GET /api/exchange-bot/{id}/messages': ({ scope, params: { id }, query }) =>
      readBot(scope, id, async (tx) => ({
        success: true as const,
        data: await listBotMessages(tx, id, query),
        meta: { total: await countBotMessages(tx, id, query.state) },
      })),

    'POST /api/exchange-bot/{id}/messages/retry': ({ params: { id }, once }) =>
      once(async (tx) => ({ success: true as const, data: await retryAll(tx, id) })),

    'POST /api/exchange-bot/{id}/messages/{messageId}/retry': ({ params: { id, messageId }, once }) =>
      once(async (tx) => ({ success: true as const, data: await retry(tx, id, messageId) })),

    'GET /api/exchange-bot-messages': ({ scope, query: { limit, offset, ...filters } }) =>
      db.readAny(scope, async (tx) => {
        const data = await listAllBotMessages(tx, filters, { limit, offset });
        const { states, capped } = await countAllBotMessages(tx, filters);
        const total = filters.state ? states[filters.state] : states.queued + states.sent + states.failed;
        return { success: true as const, data, meta: { total, states, capped } };
      }),

    'POST /api/exchange-bot-messages/retry-preview': async ({ scope, body }) => ({
      success: true,
      data: await db.read(scope, (tx) => previewRetry(tx, selectedBotMessages(body))),
    }),

    'POST /api/exchange-bot-messages/retry': ({ body, once }) =>
      once(async (tx) => {
        const how = { expected: body.expected, at: sql`${now()}::timestamptz` };
        const data = await queueSelectedAgain(tx, selectedBotMessages(body), how);
        tx.audit({
          action: 'exchange_bot.selection_retried',
          target: { kind: 'message', id: 'selection' },
          after: { messages: data.queued },
        });
        return { success: true as const, data };
      }),
  };

  async function retryAll(tx: WriteTx, id: string): Promise<{ queued: number; remaining: number }> {
    const bot = await findBot(tx, id);
    if (!bot) throw new Refusal('not_found');
    const queued = await queueFailedAgain(tx, id, { at: now(), limit: MOST_MESSAGES_RETRIED });
    if (queued > 0)
      tx.audit({
        action: 'exchange_bot.messages_retried',
        target: { kind: 'community', id: bot.community_id },
        after: { messages: queued },
      });
    return { queued, remaining: await countBotMessages(tx, id, 'failed') };
  }

  async function retry(tx: WriteTx, id: string, messageId: string): Promise<BotMessage> {
    const bot = await findBot(tx, id);
    const before = await findBotMessage(tx, id, messageId);
    if (!bot || !before) throw new Refusal('not_found');
    if (!(await queueBotMessageAgain(tx, id, messageId, now()))) throw new Refusal('message_not_failed');
    tx.audit({
      action: 'exchange_bot.message_retried',
      target: { kind: 'community', id: bot.community_id },
      before: { problem: before.problem },
      after: { telegram_user_id: before.telegram_user_id },
    });
    return (await findBotMessage(tx, id, messageId)) as BotMessage;
  }
}
