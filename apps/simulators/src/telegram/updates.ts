import { accept, type BotAnswer, refuse } from './bot-answer.ts';

/** An update as the Bot API sends it (core.telegram.org/bots/api#update), of the kinds that people cause here. */
export type Update = { update_id: number } & (
  | { message: Record<string, unknown> }
  | { callback_query: Record<string, unknown> }
);
type NewUpdate = Update extends infer U ? (U extends Update ? Omit<U, 'update_id'> : never) : never;

const MOST_UPDATES = 100;
const MOST_SECONDS = 50;
const FIRST_UPDATE = 500_000_000;

export interface Updates {
  /** Queues what happened in a chat. Kinds that the bot did not ask for are dropped, as Telegram does. */
  add(update: NewUpdate): void;
  /** Answers getUpdates: at once when something is queued, otherwise at its timeout. */
  poll(given: {
    offset: number;
    limit: number;
    timeoutS: number;
    kinds: string[] | null;
  }): Promise<BotAnswer>;
  setWebhook(url: string): void;
  webhook(): { url: string; pending_update_count: number };
  /** Forgets every update. */
  drop(): void;
  /** Answers the poll under way with nothing. */
  close(): void;
}

/** The updates of one bot: a queue from which an update goes once the bot asks for a later one. */
export function createUpdates(): Updates {
  let queue: Update[] = [];
  let lastId = FIRST_UPDATE;
  let webhookUrl = '';
  /** Null: every kind. Telegram remembers what the last poll asked for. */
  let asked: string[] | null = null;
  let polling: { end: (answer: BotAnswer) => void; given: () => BotAnswer } | null = null;

  const isAsked = (update: object) => asked === null || asked.some((kind) => kind in update);

  return {
    add(update) {
      if (!isAsked(update)) return;
      lastId += 1;
      queue.push({ update_id: lastId, ...update } as Update);
      polling?.end(polling.given());
    },
    async poll({ offset, limit, timeoutS, kinds }) {
      if (webhookUrl !== '')
        return refuse(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      polling?.end(
        refuse(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        ),
      );
      if (kinds) asked = kinds;
      if (offset < 0) queue = queue.slice(offset);
      else queue = queue.filter(({ update_id }) => update_id >= offset);
      const given = () => accept(queue.slice(0, Math.min(MOST_UPDATES, limit)));
      if (queue.length > 0 || timeoutS <= 0) return given();
      return new Promise((resolve) => {
        const timer = setTimeout(() => mine.end(accept([])), Math.min(MOST_SECONDS, timeoutS) * 1000);
        const mine = {
          given,
          end(answer: BotAnswer) {
            clearTimeout(timer);
            if (polling === mine) polling = null;
            resolve(answer);
          },
        };
        polling = mine;
      });
    },
    setWebhook(url) {
      webhookUrl = url;
      if (url !== '') polling?.end(refuse(409, 'Conflict: terminated by setWebhook request'));
    },
    webhook: () => ({ url: webhookUrl, pending_update_count: queue.length }),
    drop() {
      queue = [];
    },
    close: () => polling?.end(accept([])),
  };
}
