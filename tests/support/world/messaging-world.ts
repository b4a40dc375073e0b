import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InvoiceMessageKind } from '@copydesk/domain/messages';
import { type RunningTelegram, startTelegram } from '@copydesk/simulators/telegram';
import { createChats, telegramUserIdOf } from '@copydesk/simulators/world';
import { createBotPace } from '../../../apps/server/src/core/outbox/bot-pace.ts';
import {
  type QueuedNotice,
  queueMessages,
} from '../../../apps/server/src/core/outbox/queue-messages.service.ts';
import {
  type SenderDeps,
  startMessageSender,
} from '../../../apps/server/src/features/messages/message-sender.ts';
import { createTelegram } from '../../../apps/server/src/integrations/telegram/create-telegram.ts';
import { WHOLE_SCOPE } from '../../../apps/server/src/platform/db/database.ts';
import type { WorkLoop } from '../../../apps/server/src/platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../../apps/server/src/platform/work/worker-actor.ts';
import { createTestApp, type TestAppOptions } from '../test-app.ts';
import { until } from '../until.ts';
import { addInvoices } from './invoices.ts';
import { ownerOf } from './rows.ts';
import { addBareTrader } from './traders.ts';
import { usdt } from './usdt.ts';

export const BOT_TOKEN = '1000001:a-token-that-nobody-may-ever-read';
/** Above those of the demo traders. */
const FIRST_OWN_CHAT = 5_000;

type InvoiceNotice = Extract<QueuedNotice, { kind: InvoiceMessageKind }>;

/** The product with a Telegram of its own, on the real clock plus an offset that a test moves by hand. */
export async function createMessagingWorld(options: TestAppOptions & { hasLimits?: boolean } = {}) {
  let offsetMs = 0;
  let lastChat = FIRST_OWN_CHAT;
  const now = () => Date.now() + offsetMs;
  const telegram: RunningTelegram = await startTelegram({
    token: BOT_TOKEN,
    chats: createChats(FIRST_OWN_CHAT * 3),
    now,
    hasLimits: options.hasLimits,
  });
  const product = await createTestApp({
    scale: 0.02,
    ...options,
    env: { TELEGRAM_API_URL: telegram.url, TELEGRAM_TIMEOUT_MS: '500', ...options.env },
  });
  const owner = ownerOf(product.ownerUrl);
  const bot = (token: string | null = BOT_TOKEN) =>
    createTelegram({ token: token ?? undefined, apiUrl: telegram.url, timeoutMs: 2_000 });
  const senders = new Set<WorkLoop>();

  return {
    ...product,
    telegram,
    owner,
    bot,
    now,
    advance(ms: number) {
      offsetMs += ms;
    },
    startSender({ perSecond = 25, ...changes }: Partial<SenderDeps> & { perSecond?: number } = {}): WorkLoop {
      const { db, log } = product;
      const sender = startMessageSender({
        db,
        log,
        now,
        telegram: bot(),
        pace: createBotPace({ perSecond, atOnce: 16, now }),
        lookEveryMs: 20,
        ...changes,
      });
      senders.add(sender);
      return sender;
    },
    async stopSenders() {
      await Promise.all([...senders].map((sender) => sender.stop()));
      senders.clear();
    },
    /** Moves the clock in steps, each after all pending answers have arrived. */
    async live(ms: number, stepMs: number) {
      for (let lived = 0; lived < ms; lived += stepMs) {
        offsetMs += stepMs;
        await sleep(30);
        await until(async () => {
          const [row] = await owner<{ n: number }>(
            'SELECT count(*)::int AS n FROM message WHERE leased_until IS NOT NULL',
          );
          return row?.n === 0;
        });
      }
    },
    /** A trader with an open chat; null: without one. */
    addTrader(changes: Record<string, string | null> = {}): Promise<string> {
      do lastChat += 1;
      while (lastChat % 29 === 0);
      return addBareTrader(owner, {
        name: 'Ada Berg',
        telegram_user_id: telegramUserIdOf(lastChat),
        ...changes,
      });
    },
    async addInvoice(
      traderId: string,
      {
        dueInMs = 0,
        units = usdt(100),
        ...changes
      }: { dueInMs?: number; units?: bigint } & Record<string, unknown> = {},
    ): Promise<string> {
      const due_at = new Date(now() + dueInMs);
      const [id] = await addInvoices(owner, traderId, { amount_units: units, due_at, ...changes });
      return id as string;
    },
    settle: (invoiceId: string) =>
      owner(
        `UPDATE invoice SET status = 'paid', paid_at = now(), settled_by = 'manual', paid_units = amount_units
         WHERE id = $1`,
        [invoiceId],
      ),
    /** Queues a message for each trader; returns the ids in that order. */
    async queue(traderIds: readonly string[], changes: Partial<InvoiceNotice> = {}): Promise<string[]> {
      const notices = traderIds.map((traderId): InvoiceNotice => {
        const facts = {
          amountUnits: usdt(1),
          outstandingUnits: 0n,
          offPlatformUnits: 0n,
          invoiceCount: 1,
          dueAt: null,
          paymentAddress: null,
        };
        const dedupeKey = `test:${randomUUID()}`;
        const notice: InvoiceNotice = {
          kind: 'invoice_paid',
          traderId,
          providerId: null,
          invoiceId: null,
          dedupeKey,
          facts,
          ...changes,
        };
        return notice;
      });
      const ids = await product.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => queueMessages(tx, notices));
      return notices.map(({ dedupeKey }) => ids.get(dedupeKey) ?? '');
    },
    messagesOf: (traderId: string) =>
      owner<{
        id: string;
        kind: string;
        state: string;
        problem: string | null;
        problem_detail: string | null;
        attempts: number;
        text: string;
        language: string;
        dedupe_key: string;
        telegram_message_id: string | null;
        requested_by: string;
      }>('SELECT * FROM message WHERE trader_id = $1 ORDER BY created_at, id', [traderId]),
    statesOf: (ids: readonly string[]) =>
      owner<{ state: string; n: number }>(
        'SELECT state, count(*)::int AS n FROM message WHERE id = ANY ($1) GROUP BY state',
        [ids],
      ).then((rows) => Object.fromEntries(rows.map(({ state, n }) => [state, n]))),
    async close() {
      await Promise.all([...senders].map((sender) => sender.stop()));
      await product.close();
      await telegram.close();
    },
  };
}

export type MessagingWorld = Awaited<ReturnType<typeof createMessagingWorld>>;
