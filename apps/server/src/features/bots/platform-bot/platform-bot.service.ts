import type { Scope } from '@copydesk/domain/access';
import type { ReadBot } from '../../../integrations/telegram/read-bot.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import type { Database } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { readProfile } from '../telegram/read-profile.ts';
import { lockPlatformBot, savePlatformToken } from './platform-bot.store.ts';
import { isBotOfCommunity, type PlatformBot, readPlatformBot } from './platform-bot.views.ts';
import { sealPlatformToken } from './platform-bot-box.ts';

export interface PlatformBotDeps {
  db: Database;
  keyring: Keyring;
  readBot: ReadBot;
  isLocked: boolean;
  now: () => Date;
}

interface Caller {
  scope: Scope;
  actor: Actor;
}

const TARGET = { kind: 'setting', id: 'telegram_bot' } as const;

/**
 * Gives the platform's bot another token. Telegram is asked outside of the transaction.
 * @throws Refusal `setting_locked`, `bot_taken` when a community has connected this bot, `bot_refused`,
 * `telegram_unavailable`
 */
export async function replacePlatformToken(
  { db, keyring, readBot, isLocked, now }: PlatformBotDeps,
  { scope, actor }: Caller,
  token: string,
): Promise<Omit<PlatformBot, 'is_locked'>> {
  if (isLocked) throw new Refusal('setting_locked');
  const profile = await readProfile(readBot, token);
  return db.write(scope, actor, async (tx) => {
    const before = await lockPlatformBot(tx);
    if (await isBotOfCommunity(tx, profile.id))
      throw new Refusal('bot_taken', { message: 'A community has connected this bot' });
    const version = before.version + 1;
    const sealed = sealPlatformToken(keyring, version, token);
    await savePlatformToken(tx, version, { telegramId: profile.id, sealed }, now());
    tx.audit({
      action: 'platform_bot.changed',
      target: TARGET,
      before: { telegram_id: before.telegramId },
      after: { telegram_id: profile.id, username: profile.username },
    });
    return readPlatformBot(tx);
  });
}

/** Deletes the stored token. @throws Refusal `setting_locked`, `not_found` when none is stored */
export async function deletePlatformToken(
  { db, isLocked, now }: Pick<PlatformBotDeps, 'db' | 'isLocked' | 'now'>,
  { scope, actor }: Caller,
): Promise<Omit<PlatformBot, 'is_locked'>> {
  if (isLocked) throw new Refusal('setting_locked');
  return db.write(scope, actor, async (tx) => {
    const before = await lockPlatformBot(tx);
    if (before.telegramId === null) throw new Refusal('not_found');
    await savePlatformToken(tx, before.version + 1, null, now());
    tx.audit({
      action: 'platform_bot.changed',
      target: TARGET,
      before: { telegram_id: before.telegramId },
      after: { telegram_id: null },
    });
    return readPlatformBot(tx);
  });
}
