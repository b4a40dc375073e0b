import { randomBytes } from 'node:crypto';
import { type Acting, type RunningTelegram, startTelegram } from '@copydesk/simulators/telegram';
import {
  type AnswerDeps,
  startAnsweringBots,
} from '../../../apps/server/src/features/bots/exchange-bot/answering/answer-bots.ts';
import { applyOpenPayments } from '../../../apps/server/src/features/invoices/payments/payments.service.ts';
import { accountKeyOf } from '../../../apps/server/src/integrations/chain/account-key.ts';
import { createWalletKeys } from '../../../apps/server/src/integrations/chain/wallet-keys.ts';
import { createOpenBot } from '../../../apps/server/src/integrations/telegram/create-bot-client.ts';
import type { WorkLoop } from '../../../apps/server/src/platform/work/work-loop.ts';
import { agreeOnDepositKey } from '../../../apps/server/src/wiring/deposit-key.ts';
import { send } from '../send.ts';
import { KEYRING } from '../test-app.ts';
import { until } from '../until.ts';
import { deriveAll } from './derive-all.ts';
import { createInvoicingWorld } from './invoicing-world.ts';

/** A part of every token here, which nothing may reveal. */
export const CANARY = 'a-secret-part-that-leaks';
export const tokenOf = (id: number, nth = 0) => `${id}:demo-${CANARY}-${nth}`;
const BOT_ID = 2_000_100;
const SECOND = 1_000;

/** The bot of a community with a Telegram of its own, on the real clock plus an offset that a test moves by hand. */
export async function createBotWorld({ hasLimits = true }: { hasLimits?: boolean } = {}) {
  let offsetMs = 0;
  let lastPerson = 800_000_000;
  const now = () => new Date(Date.now() + offsetMs);
  const seed = randomBytes(32);
  const accountKey = accountKeyOf(seed);
  const telegram: RunningTelegram = await startTelegram({
    token: '1000001:of-the-platform',
    chats: { stateOf: () => null },
    now: () => now().getTime(),
    hasLimits,
  });
  const world = await createInvoicingWorld({
    env: { DEPOSIT_ACCOUNT_KEY: accountKey, TELEGRAM_API_URL: telegram.url },
  });
  const agree = async () => {
    await agreeOnDepositKey({ db: world.db, accountKey, seed });
    await deriveAll({ db: world.db, keys: createWalletKeys(seed) });
  };
  await agree();
  const superAdmin = await world.signIn('super');
  const as = async (call: string, parts: Parameters<typeof send>[2] = {}, token = superAdmin) => {
    const answer = await send(world.app, call, parts, token);
    const { data, error, message, meta } = answer.json();
    return { status: answer.statusCode, text: answer.body, data, error, message, meta };
  };
  const [row] = await world.owner<{ id: string; community_id: string }>(
    'SELECT id, community_id FROM exchange_bot',
  );
  const bot = { id: row?.id ?? '', communityId: row?.community_id ?? '', token: tokenOf(BOT_ID) };
  const replaceToken = (token: string) =>
    as('PATCH /api/exchange-bot/{id}', { params: { id: bot.id }, body: { token } });
  await replaceToken(bot.token);
  const plans = await world.owner<{ id: string; name: string }>('SELECT id, name FROM exchange_bot_plan');
  const workers = new Set<WorkLoop>();
  const openBot = createOpenBot({ apiUrl: telegram.url, timeoutMs: 2 * SECOND, pollSeconds: 5 });
  const depsOf = (changes: Partial<AnswerDeps>): AnswerDeps => ({
    db: world.db,
    log: world.log,
    now,
    keyring: KEYRING,
    openBot,
    readTerms: async () => ({
      platformWeights: { hexmount: 1, sixk: 1 },
      communityPercentage: '85',
    }),
    applyOpenPayments,
    perSecond: 25,
    lookEveryMs: 50,
    sendEveryMs: 20,
    ...changes,
  });

  return {
    ...world,
    telegram,
    as,
    bot,
    now,
    replaceToken,
    agree,
    planId: (name: string) => plans.find((plan) => plan.name === name)?.id ?? '',
    advance(ms: number) {
      offsetMs += ms;
    },
    /** A worker as in production, but with short pauses. */
    startWorker(changes: Partial<AnswerDeps> = {}): WorkLoop {
      const worker = startAnsweringBots(depsOf(changes));
      workers.add(worker);
      return worker;
    },
    /** A worker that will die, and cannot be stopped afterwards. */
    startDoomed: (changes: Partial<AnswerDeps>) => void startAnsweringBots(depsOf(changes)),
    openBot,
    async stopWorkers() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      workers.clear();
    },
    /** A new person in front of the bot; `does` waits for the answers to an act. */
    person(languageCode = 'en', token = bot.token) {
      lastPerson += 1;
      const id = lastPerson;
      const acting = telegram.person(token, {
        id,
        first_name: 'Ada',
        last_name: 'Berg',
        language_code: languageCode,
      });
      let seen = 0;
      return {
        ...acting,
        id,
        /** Acts, and waits for this many messages; the clock moves on as the chat accepts one a second. */
        async does(act: (person: Acting) => void, messages = 1) {
          act(acting);
          await until(async () => {
            offsetMs += SECOND;
            return acting.received().length >= seen + messages;
          }, 20_000);
          const got = acting.received().slice(seen);
          seen = acting.received().length;
          return got.map(({ text, keyboard, photo }) => ({
            text: text.replace(/[\u2066-\u2069]/g, ''),
            buttons: (keyboard ?? []).flat(),
            photo: photo === undefined ? null : Buffer.from(photo, 'base64'),
          }));
        },
      };
    },
    traderOf: async (telegramUserId: number) => {
      const [trader] = await world.owner<{ id: string }>(
        'SELECT id FROM trader WHERE telegram_user_id = $1',
        [String(telegramUserId)],
      );
      return trader?.id ?? '';
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      await world.close();
      await telegram.close();
    },
  };
}

export type BotWorld = Awaited<ReturnType<typeof createBotWorld>>;
