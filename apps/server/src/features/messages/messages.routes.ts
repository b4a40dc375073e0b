import type { CallParsed } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import { MESSAGE_OUTCOMES, type MessageOutcome } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import { previewRetry, queueSelectedAgain, type Selected } from '../../core/outbox/retry-selection.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import { createTraderSearch } from '../traders/found-traders.views.ts';
import { askForKey } from './ask-key.service.ts';
import { queueAgain } from './messages.store.ts';
import * as views from './messages.views.ts';
import { notifyUnpaid } from './notify.service.ts';

type MessageCalls =
  | `${string} /api/messages${string}`
  | 'POST /api/invoices/trader/{id}/notify'
  | 'POST /api/traders/{id}/ask-key';
type Filters = Omit<CallParsed<'GET /api/messages'>['query'], 'limit' | 'offset'>;
type Selection = CallParsed<'POST /api/messages/retry-preview'>['body'];
const DEFAULT_PAGE = 25;
/** The usual answer would mislead: the message is queued, but will probably fail like the one before. */
const BLOCKED =
  'The last message did not arrive: the trader has blocked the bot. This one is tried all the same.';

export function createMessageRoutes({
  db,
  totals,
  searches,
  now,
}: {
  db: Database;
  totals: TotalsCache;
  searches: TotalsCache;
  now: () => Date;
}): Pick<Handlers, Extract<keyof Handlers, MessageCalls>> {
  /** Messages of one trader or invoice are few and counted each time; all others may be many. */
  async function counted(scope: Scope, filters: views.MessageFilters) {
    const count = () => db.readAny(scope, (tx) => views.countMessages(tx, filters));
    if (filters.trader_id || filters.invoice_id) return { value: await count(), takenAt: now() };
    const { outcome: _, ...others } = filters;
    return totals.get(`messages ${JSON.stringify([scope, others])}`, count);
  }

  const searchTraders = createTraderSearch({ db, searches });
  async function filtersOf(scope: Scope, { search: text, ...asked }: Filters): Promise<views.MessageFilters> {
    if (text === undefined) return asked;
    return { ...asked, addressee: { text, traders: await searchTraders(scope, text) } };
  }
  async function selectedBy(
    scope: Scope,
    { ids, matching }: Selection,
  ): Promise<Selected<views.MessageFilters>> {
    return { ids, matching: matching && { ...matching, query: await filtersOf(scope, matching.query) } };
  }

  return {
    'POST /api/traders/{id}/ask-key': async ({ params: { id }, scope, actor }) => {
      const { messageId } = await db.write(scope, actor, (tx) => askForKey(tx, id));
      return { success: true, data: { message_id: messageId } };
    },

    'GET /api/messages': async ({ query, scope }) => {
      const { limit = DEFAULT_PAGE, offset = 0, ...asked } = query;
      const filters = await filtersOf(scope, asked);
      const [data, { value: outcomes, takenAt }] = await Promise.all([
        db.readAny(scope, (tx) => views.listMessages(tx, filters, { limit, offset })),
        counted(scope, filters),
      ]);
      const shown: readonly MessageOutcome[] = filters.outcome ? [filters.outcome] : MESSAGE_OUTCOMES;
      const total = shown.reduce((sum, name) => sum + outcomes[name], 0);
      return { success: true, data, meta: { total, outcomes, totals_at: takenAt.toISOString() } };
    },

    'POST /api/invoices/trader/{id}/notify': ({ params, once }) =>
      once(async (tx) => {
        const { messageId, isBlocked } = await notifyUnpaid(tx, params.id);
        const message = isBlocked ? BLOCKED : 'Notification Sent';
        return { success: true, message, data: { message_id: messageId } };
      }),

    'POST /api/messages/{id}/retry': ({ params, once }) =>
      once(async (tx) => {
        const before = await views.findMessage(tx, params.id);
        if (!before) throw new Refusal('not_found');
        if (before.state === 'failed' && !before.can_retry) throw new Refusal('trader_not_reachable');
        if (!(await queueAgain(tx, params.id))) throw new Refusal('message_not_failed');
        tx.audit({
          action: 'message.retried',
          target: { kind: 'message', id: params.id },
          before: { problem: before.problem },
        });
        const data = await views.findMessage(tx, params.id);
        if (!data) throw new Refusal('not_found');
        return { success: true, data };
      }),

    'POST /api/messages/retry-preview': async ({ body, scope }) => {
      const selected = await selectedBy(scope, body);
      const preview = (tx: Tx) => previewRetry(tx, views.selectedMessages(tx, selected));
      return { success: true, data: await db.read(scope, preview) };
    },

    'POST /api/messages/retry': ({ body, scope, once }) =>
      once<Selected<views.MessageFilters>>(
        async (tx, selected) => {
          const { expected } = body;
          const data = await queueSelectedAgain(tx, views.selectedMessages(tx, selected), {
            expected,
            at: sql`now()`,
          });
          tx.audit({
            action: 'message.selection_retried',
            target: { kind: 'message', id: 'selection' },
            after: { messages: data.queued },
          });
          return { success: true, data };
        },
        () => selectedBy(scope, body),
      ),
  };
}
