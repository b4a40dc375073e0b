import { randomBytes } from 'node:crypto';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { ownPerson } from '../../../platform/http/own-person.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { forgetChat, hashOfCode } from './hear-person.ts';
import { findBotName, saveRequest } from './person-chat.store.ts';

const ONLY_OWN = 'Only a signed-in person connects a chat';
const LINK_MS = 15 * 60_000;
/** The link has 43 characters of it: Telegram passes on at most 64. */
const CODE_BYTES = 32;

/** The chat with the platform's bot by which a person is told what waits for it. */
export const createTelegramRoutes = ({
  db,
  now,
}: {
  db: Database;
  now: () => Date;
}): Pick<Handlers, `${'POST' | 'DELETE'} /api/me/telegram`> => ({
  'POST /api/me/telegram': async ({ principal, scope, actor, reply }) => {
    const { id } = ownPerson(principal, ONLY_OWN);
    const username = await db.read(WHOLE_SCOPE, findBotName);
    if (username === null) throw new Refusal('telegram_no_bot');
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const expiresAt = new Date(now().getTime() + LINK_MS);
    await db.write(scope, actor, (tx) => saveRequest(tx, id, { codeHash: hashOfCode(code), expiresAt }));
    // Whoever has the link connects a chat.
    reply.header('cache-control', 'no-store');
    return {
      success: true,
      data: { url: `https://t.me/${username}?start=${code}`, expires_at: expiresAt.toISOString() },
    };
  },

  'DELETE /api/me/telegram': async ({ principal, scope, actor }) => {
    const { id } = ownPerson(principal, ONLY_OWN);
    await db.write(scope, actor, (tx) => forgetChat(tx, id));
    return { success: true, data: null };
  },
});
