import { type Database, type Tx, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { ownPerson } from '../../../platform/http/own-person.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findBotName, findChat } from '../telegram/person-chat.store.ts';
import { readWishes, saveWishes } from './attention-mail.store.ts';

const ONLY_OWN = 'Only a signed-in person is told what waits for it';

/** Which messages a person wants of what waits for it, and by which channel. */
export function createAttentionMailRoutes({
  db,
  hasMailer,
}: {
  db: Database;
  /** Whether e-mails can be sent at all. */
  hasMailer: boolean;
}): Pick<Handlers, `${'GET' | 'PATCH'} /api/me/attention-mail`> {
  const hasBot = async () => (await db.read(WHOLE_SCOPE, findBotName)) !== null;
  async function read(tx: Tx, id: string) {
    const { digestHour, atOnce, channel } = await readWishes(tx, id);
    const chat = await findChat(tx, id);
    return {
      digest_hour: digestHour,
      at_once: atOnce,
      channel: chat ? channel : ('mail' as const),
      is_possible: hasMailer,
      chat,
    };
  }
  const shown = ({ chat, ...wishes }: Awaited<ReturnType<typeof read>>, isPossible: boolean) => ({
    ...wishes,
    telegram: {
      is_possible: isPossible,
      chat: chat && { name: chat.name, connected_at: chat.connectedAt, problem: chat.problem },
    },
  });
  return {
    'GET /api/me/attention-mail': async ({ principal, scope, actor }) => {
      const { id } = ownPerson(principal, ONLY_OWN);
      const own = await db.read(scope, (tx) => read(tx, id), actor);
      return { success: true, data: shown(own, await hasBot()) };
    },

    'PATCH /api/me/attention-mail': async ({ principal, scope, actor, body }) => {
      const { id } = ownPerson(principal, ONLY_OWN);
      const own = await db.write(scope, actor, async (tx) => {
        await saveWishes(tx, id, {
          ...(body.digest_hour !== undefined && { digestHour: body.digest_hour }),
          ...(body.at_once !== undefined && { atOnce: body.at_once }),
          ...(body.channel !== undefined && { channel: body.channel }),
        });
        // After the row is held, by which a chat that is being disconnected waits for this.
        const saved = await read(tx, id);
        if (body.channel === 'telegram' && !saved.chat) throw new Refusal('telegram_not_connected');
        return saved;
      });
      return { success: true, data: shown(own, await hasBot()) };
    },
  };
}
