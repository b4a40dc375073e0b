import type { Language } from '@copydesk/domain/catalogue';
import {
  type BotReply,
  type BotTurn,
  converse,
  countUpdate,
  replyToAct,
} from '@copydesk/domain/exchange-bot';
import type { TelegramUpdate } from '../../../../integrations/telegram/gateway.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import type { Handled } from '../../telegram/update-reader.ts';
import type { OrderDeps } from '../sales/order-plan.ts';
import { renderReply } from '../texts/render-reply.ts';
import { type AnsweringBot, advanceUpdate, type BotLease } from './advance-update.store.ts';
import { BOT_ACTOR } from './bot-actor.ts';
import { queueReplies } from './bot-messages.store.ts';
import { loadOffers } from './bot-offers.views.ts';
import { type ChatKey, meetChat, type StoredChat, saveChat } from './chats.store.ts';
import { performAct } from './perform-act.ts';
import { type ReadUpdate, readUpdate } from './read-update.ts';
import { recordPaid } from './record-facts.ts';

export interface HandleDeps extends Pick<OrderDeps, 'applyOpenPayments'> {
  db: Database;
  /** The shares of the platform's recipients, as they are now. */
  readTerms(): Promise<Pick<OrderDeps, 'platformWeights' | 'communityPercentage'>>;
  now: () => Date;
}

/**
 * Handles an update in one transaction: counts it as handled, does what the person asked for, and queues the replies.
 * Nothing of it is done twice, however often Telegram or a crash repeats the update.
 */
export async function handleUpdate(
  deps: HandleDeps,
  lease: BotLease,
  update: TelegramUpdate,
): Promise<Handled> {
  const read = readUpdate(update);
  // Before the transaction: it takes a connection of its own.
  const terms = read && mayAct(read) ? await deps.readTerms() : NO_TERMS;
  const order = { ...terms, now: deps.now(), applyOpenPayments: deps.applyOpenPayments };
  return deps.db.write(WHOLE_SCOPE, BOT_ACTOR, async (tx) => {
    const bot = await advanceUpdate(tx, lease, update.update_id, order.now);
    if (typeof bot === 'string') return bot;
    if (read) await answer(tx, { bot, botId: lease.botId, read, order });
    return 'handled';
  });
}

const NO_TERMS = { platformWeights: { hexmount: 0, sixk: 0 }, communityPercentage: '0' };
/** Whether an update may order something or change an order: a press, or a text that may be a coupon. */
const mayAct = ({ input }: ReadUpdate) =>
  input.kind === 'text' || (input.kind === 'press' && /^(order|cancel):/.test(input.data));

/** Counts an update that could not be handled, and says so to the person. */
export async function skipUpdate(
  { db, now }: HandleDeps,
  lease: BotLease,
  update: TelegramUpdate,
): Promise<Handled> {
  const read = readUpdate(update);
  return db.write(WHOLE_SCOPE, BOT_ACTOR, async (tx) => {
    const bot = await advanceUpdate(tx, lease, update.update_id, now());
    if (typeof bot === 'string') return bot;
    if (read) {
      const chat = { botId: lease.botId, telegramUserId: read.person.telegramUserId };
      const { language } = await meet(tx, chat, { bot, read, at: now() });
      await reply(tx, chat, { language, replies: [APOLOGY], at: now() });
    }
    return 'handled';
  });
}

const plain = (text: 'failed' | 'wait'): BotReply => ({ text, values: {}, buttons: [], qrText: null });
const APOLOGY = plain('failed');
const WAIT = plain('wait');

interface Given {
  bot: AnsweringBot;
  botId: string;
  read: ReadUpdate;
  order: OrderDeps;
}

async function answer(tx: WriteTx, { bot, botId, read, order }: Given): Promise<void> {
  const at = order.now;
  const chat = { botId, telegramUserId: read.person.telegramUserId };
  const stored = await meet(tx, chat, { bot, read, at });
  // Messages written while the bot was off did not come at once. Our clock may be behind Telegram's.
  const sentAt = Math.min(read.sentAt?.getTime() ?? at.getTime(), at.getTime());
  const { verdict, from, count } = countUpdate(
    { from: stored.countedFrom.getTime(), count: stored.counted },
    sentAt,
  );
  const counted = { countedFrom: new Date(from), counted: count };
  if (verdict !== 'answer') {
    await saveChat(tx, chat, { ...stored, ...counted });
    if (verdict === 'ask_to_wait') await reply(tx, chat, { language: stored.language, replies: [WAIT], at });
    return;
  }
  const turn = converse(
    stored,
    read.input,
    await loadOffers(tx, chat, { bot, language: stored.language, at }),
  );
  const done = turn.act ? await act(tx, turn, turn.act, { chat, bot, read, order }) : turn;
  await saveChat(tx, chat, { ...done.chat, ...counted });
  await reply(tx, chat, { language: done.chat.language, replies: done.replies, at });
}

async function act(
  tx: WriteTx,
  turn: BotTurn,
  wanted: NonNullable<BotTurn['act']>,
  { chat, bot, read, order }: Omit<Given, 'botId'> & { chat: ChatKey },
): Promise<Omit<BotTurn, 'act'>> {
  const { communityId } = bot;
  const outcome = await performAct(tx, wanted, {
    chat,
    communityId,
    person: read.person,
    language: turn.chat.language,
    source: turn.chat.source,
    order,
  });
  // Earlier unmatched payments may have paid the order at once.
  if (wanted.kind === 'order' && outcome.refusal === null && !outcome.order)
    await recordPaid(tx, { at: order.now, chat });
  return replyToAct(turn.chat, wanted, outcome);
}

const meet = (
  tx: WriteTx,
  chat: ChatKey,
  { bot, read: { person }, at }: { bot: AnsweringBot; read: ReadUpdate; at: Date },
): Promise<StoredChat> => meetChat(tx, chat, { ...person, language: person.language ?? bot.language }, at);

async function reply(
  tx: WriteTx,
  chat: ChatKey,
  { language, replies, at }: { language: Language; replies: readonly BotReply[]; at: Date },
): Promise<void> {
  if (replies.length === 0) return;
  await queueReplies(
    tx,
    replies.map((one) => ({ chat, ...renderReply(one, language), factKey: null })),
    at,
  );
}
