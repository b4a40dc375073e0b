import type { AnswerDeps } from '../../../apps/server/src/features/bots/exchange-bot/answering/answer-bots.ts';
import type { BotClient } from '../../../apps/server/src/integrations/telegram/gateway.ts';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';

/** Between which two steps of answering a worker dies. */
export const DEATHS = [
  'after reading the updates',
  'before the transaction of an update',
  'at the end of the transaction of an update',
  'after the transaction of an update',
  'before claiming a message',
  'at the end of claiming a message',
  'after claiming a message',
  'before sending',
  'after sending',
  'before recording',
  'at the end of recording',
  'after recording',
] as const;
export type Death = (typeof DEATHS)[number];

/** The transactions, by a function that only they call. */
const TRANSACTIONS = [
  [/advanceUpdate/, 'the transaction of an update'],
  [/claimBotMessages/, 'claiming a message'],
  [/outcomeOf/, 'recording'],
] as const;

/** The database and Telegram of a worker that dies at a moment: from then on nothing of it comes back. */
export function mortal(death: Death, { db, openBot }: Pick<AnswerDeps, 'db' | 'openBot'>) {
  let isDead = false;
  let died = () => {};
  const underWay = new Set<Promise<unknown>>();
  // What was on its way to the database at that moment ends there: a lease that it takes is one more to wait for.
  const whenDead = new Promise<void>((resolve) => {
    died = resolve;
  }).then(() => Promise.allSettled([...underWay]));
  const writing = <T>(transaction: Promise<T>): Promise<T> => {
    const ended = transaction.finally(() => underWay.delete(ended));
    underWay.add(ended);
    return ended;
  };
  const forever = () => new Promise<never>(() => {});
  const reach = async (moment: Death) => {
    if (moment === death && !isDead) {
      isDead = true;
      died();
    }
    if (isDead) await forever();
  };
  const momentOf = (when: string, name: string) => `${when} ${name}` as Death;

  const mortalDb: Database = {
    ...db,
    read: async (...given) => {
      if (isDead) await forever();
      return db.read(...given);
    },
    async write(scope, actor, work) {
      if (isDead) await forever();
      const [, name] = TRANSACTIONS.find(([call]) => call.test(work.toString())) ?? [];
      if (!name) return writing(db.write(scope, actor, work));
      await reach(momentOf('before', name));
      let hasClaimed = true;
      const result = await writing(
        db.write(scope, actor, async (tx) => {
          const given = await work(tx);
          hasClaimed = !Array.isArray(given) || given.length > 0;
          // A process that dies here leaves a transaction that the database rolls back.
          if (hasClaimed && momentOf('at the end of', name) === death && !isDead) {
            isDead = true;
            throw new Error('the worker is gone');
          }
          return given;
        }),
      ).catch((error) => {
        if (!isDead) throw error;
        died();
        return forever();
      });
      if (hasClaimed) await reach(momentOf('after', name));
      return result;
    },
  };

  const mortalOpen = (token: string): BotClient => {
    const client = openBot(token);
    return {
      ...client,
      async getUpdates(offset, signal) {
        if (isDead) await forever();
        const updates = await client.getUpdates(offset, signal);
        if (updates.length > 0) await reach('after reading the updates');
        return updates;
      },
      async send(message) {
        await reach('before sending');
        const sent = await client.send(message);
        await reach('after sending');
        return sent;
      },
    };
  };
  return { deps: { db: mortalDb, openBot: mortalOpen }, whenDead };
}
