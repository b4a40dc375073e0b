import type { CallAnswer } from '@copydesk/contract';
import type { MESSAGE_STATES } from '@copydesk/domain/messages';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';

export type BotMessage = CallAnswer<'GET /api/exchange-bot/{id}/messages'>['data'][number];
type State = (typeof MESSAGE_STATES)[number];

const DEFAULT_PAGE = 25;
/** Sent messages are many: a list says "10,000" rather than count them all. */
const MOST_COUNTED = 10_000;

const ENTITIES = { lt: '<', gt: '>', quot: '"', amp: '&' } as const;
/** Direction marks isolate values in a chat; a list has no use for them. */
const plainText = (html: string) =>
  html
    .replace(/<[^>]*>|[\u2066-\u2069]/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);

async function readMessages(
  tx: Tx,
  condition: RawBuilder<unknown>,
  { limit, offset }: { limit: number; offset: number },
): Promise<BotMessage[]> {
  const { rows } = await sql<BotMessage>`
    SELECT m.id, m.telegram_user_id::text AS telegram_user_id, c.telegram_username, c.name, m.text, m.state,
      m.attempts, m.problem, app.iso(m.created_at) AS created_at, app.iso(m.sent_at) AS sent_at
    FROM exchange_bot_message m
    JOIN exchange_bot_chat c ON c.bot_id = m.bot_id AND c.telegram_user_id = m.telegram_user_id
    WHERE ${condition} ORDER BY m.created_at DESC, m.id LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  return rows.map((row) => ({ ...row, text: plainText(row.text) }));
}

const inState = (botId: string | RawBuilder<unknown>, state: State | undefined) =>
  state === undefined ? sql`m.bot_id = ${botId}` : sql`m.bot_id = ${botId} AND m.state = ${state}`;

/** A page of the messages of a bot, newest first. */
export const listBotMessages = (
  tx: Tx,
  botId: string,
  {
    state,
    limit = DEFAULT_PAGE,
    offset = 0,
  }: { state?: State | undefined; limit?: number | undefined; offset?: number | undefined },
): Promise<BotMessage[]> => readMessages(tx, inState(botId, state), { limit, offset });

/** The messages of a bot in a state, to count them: 10,000 at most. @param botId an id, or a column with one */
export const messagesOf = (botId: string | RawBuilder<unknown>, state: State | undefined) =>
  sql`(SELECT FROM exchange_bot_message m WHERE ${inState(botId, state)} LIMIT ${MOST_COUNTED}) counted`;

/** How many messages a bot has in a state, up to 10,000. */
export async function countBotMessages(tx: Tx, botId: string, state: State | undefined): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM ${messagesOf(botId, state)}`.execute(tx.sql);
  return rows[0]?.total ?? 0;
}

export const findBotMessage = async (tx: Tx, botId: string, id: string): Promise<BotMessage | null> =>
  (await readMessages(tx, sql`m.bot_id = ${botId} AND m.id = ${id}`, { limit: 1, offset: 0 }))[0] ?? null;
