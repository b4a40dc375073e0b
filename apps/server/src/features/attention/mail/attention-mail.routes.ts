import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { ownPerson } from '../../../platform/http/own-person.ts';
import { type MailWishes, readWishes, saveWishes } from './attention-mail.store.ts';

const ONLY_OWN = 'Only a signed-in person is mailed what waits for it';

/** Which mails a person wants of what waits for it. */
export function createAttentionMailRoutes({
  db,
  hasMailer,
}: {
  db: Database;
  /** Whether e-mails can be sent at all. */
  hasMailer: boolean;
}): Pick<Handlers, `${'GET' | 'PATCH'} /api/me/attention-mail`> {
  const shown = ({ digestHour, atOnce }: MailWishes) => ({
    digest_hour: digestHour,
    at_once: atOnce,
    is_possible: hasMailer,
  });
  return {
    'GET /api/me/attention-mail': async ({ principal, scope, actor }) => {
      const { id } = ownPerson(principal, ONLY_OWN);
      return { success: true, data: shown(await db.read(scope, (tx) => readWishes(tx, id), actor)) };
    },

    'PATCH /api/me/attention-mail': async ({ principal, scope, actor, body }) => {
      const { id } = ownPerson(principal, ONLY_OWN);
      const wishes = await db.write(scope, actor, async (tx) => {
        await saveWishes(tx, id, {
          ...(body.digest_hour !== undefined && { digestHour: body.digest_hour }),
          ...(body.at_once !== undefined && { atOnce: body.at_once }),
        });
        return readWishes(tx, id);
      });
      return { success: true, data: shown(wishes) };
    },
  };
}
