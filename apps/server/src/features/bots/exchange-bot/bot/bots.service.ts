import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import { TelegramError } from '../../../../integrations/telegram/gateway.ts';
import type { BotProfile, ReadBot } from '../../../../integrations/telegram/read-bot.ts';
import type { Actor } from '../../../../platform/audit/audit.ts';
import { violatedUnique } from '../../../../platform/db/connection/connection.ts';
import type { Database, Tx } from '../../../../platform/db/database.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import type { Keyring } from '../../../../platform/secrets/keyring.ts';
import { SealError } from '../../../../platform/secrets/sealed-secret.ts';
import { findCommunity } from '../../../communities/communities.views.ts';
import { isPlatformBot } from '../../platform-bot/platform-bot.views.ts';
import { readProfile } from '../../telegram/read-profile.ts';
import { openBotToken, sealBotToken } from './bot-token-box.ts';
import { findToken, saveToken } from './bot-tokens.store.ts';
import * as store from './bots.store.ts';
import { type Bot, findBot, findBotOfCommunity } from './bots.views.ts';

export interface BotDeps {
  db: Database;
  keyring: Keyring;
  readBot: ReadBot;
}

interface Caller {
  scope: Scope;
  actor: Actor;
}

/**
 * Connects a bot to a community. Telegram is asked outside of the transaction, and only when the rest is in order.
 * @throws Refusal `not_found`, `community_archived`, `bot_exists`, `bot_taken`, `bot_refused`, `telegram_unavailable`
 */
export async function connectBot(
  { db, keyring, readBot }: BotDeps,
  { scope, actor }: Caller,
  { community_id: communityId, token, language }: CallParsed<'POST /api/exchange-bot'>['body'],
): Promise<Bot> {
  await db.read(scope, async (tx) => {
    const community = await findCommunity(tx, communityId);
    if (!community) throw new Refusal('not_found');
    if (community.is_archived)
      throw new Refusal('community_archived', { message: 'This community is archived' });
    if (await findBotOfCommunity(tx, communityId)) throw new Refusal('bot_exists');
  });
  const profile = await readProfile(readBot, token);
  const id = randomUUID();
  return db.write(scope, actor, async (tx) => {
    await refusePlatformBot(tx, profile);
    await refusingTaken(
      store.insertBot(tx, { id, community_id: communityId, language, ...columnsOf(profile) }),
    );
    await saveToken(tx, sealBotToken(keyring, id, token));
    tx.audit({
      action: 'exchange_bot.connected',
      target: { kind: 'community', id: communityId },
      after: { username: profile.username, language },
    });
    return mustFind(await findBot(tx, id));
  });
}

/** Changes a bot. A new token may belong to another bot, where the old one is lost. @throws Refusal, as above */
export async function changeBot(
  { db, keyring, readBot }: BotDeps,
  { scope, actor }: Caller,
  id: string,
  { token, language, is_active: isActive }: CallParsed<'PATCH /api/exchange-bot/{id}'>['body'],
): Promise<Bot> {
  mustFind(await db.read(scope, (tx) => findBot(tx, id)));
  const profile = token === undefined ? null : await readProfile(readBot, token);
  return db.write(scope, actor, async (tx) => {
    const bot = mustFind(await store.findBotForUpdate(tx, id));
    if (token !== undefined && profile) {
      await refusePlatformBot(tx, profile);
      await refusingTaken(store.updateBot(tx, id, columnsOf(profile)));
      await saveToken(tx, sealBotToken(keyring, id, token));
      tx.audit({
        action: 'exchange_bot.token_replaced',
        target: { kind: 'community', id: bot.communityId },
        before: { username: bot.username },
        after: { username: profile.username },
      });
    }
    const after = {
      ...(language !== undefined && language !== bot.language ? { language } : {}),
      ...(isActive !== undefined && isActive !== bot.isActive ? { is_active: isActive } : {}),
    };
    if (Object.keys(after).length > 0) {
      await store.updateBot(tx, id, after);
      const values: Record<string, string | boolean> = { language: bot.language, is_active: bot.isActive };
      tx.audit({
        action: 'exchange_bot.changed',
        target: { kind: 'community', id: bot.communityId },
        before: Object.fromEntries(Object.keys(after).map((name) => [name, values[name] ?? null])),
        after,
      });
    }
    return mustFind(await findBot(tx, id));
  });
}

/** Asks Telegram about a bot and records the outcome, which is no act of the person: nothing is audited. */
export async function checkBot(
  { db, keyring, readBot }: BotDeps,
  { scope, actor }: Caller,
  id: string,
): Promise<Bot> {
  const stored = mustFind(await db.read(scope, (tx) => findToken(tx, id)));
  const found = await look(readBot, () => openBotToken(keyring, stored));
  return db.write(scope, actor, async (tx) => {
    await store.updateBot(tx, id, found);
    return mustFind(await findBot(tx, id));
  });
}

async function look(readBot: ReadBot, open: () => string) {
  try {
    const { username, name } = await readBot(open());
    return { username, name, problem: null };
  } catch (error) {
    if (error instanceof SealError) return { problem: 'unreadable' };
    if (!(error instanceof TelegramError)) throw error;
    return { problem: error.isRetryable ? 'unavailable' : 'refused' };
  }
}

const columnsOf = ({ id, username, name }: BotProfile) => ({
  telegram_id: id,
  username,
  name,
  problem: null,
});

async function refusePlatformBot(tx: Tx, { id }: BotProfile): Promise<void> {
  if (await isPlatformBot(tx, id))
    throw new Refusal('bot_taken', { message: 'This bot is the one of the platform' });
}

async function refusingTaken(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    const constraint = violatedUnique(error);
    if (constraint === 'exchange_bot_community_id_key') throw new Refusal('bot_exists');
    if (constraint === 'exchange_bot_telegram_id_key') throw new Refusal('bot_taken');
    throw error;
  }
}

function mustFind<T>(found: T | null): T {
  if (found === null) throw new Refusal('not_found');
  return found;
}
