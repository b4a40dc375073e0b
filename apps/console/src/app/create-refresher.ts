import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { communitiesKeys } from '../features/communities/communities-keys.ts';
import { invoicesKeys } from '../features/invoices/invoices-keys.ts';
import type { InvoiceDetail } from '../features/invoices/panel/invoice-query.ts';
import { payoutsKeys } from '../features/payouts/payouts-keys.ts';
import { poolsKeys } from '../features/pools/pools-keys.ts';
import { tradersKeys } from '../features/traders/traders-queries.ts';
import { stopKeys } from '../features/transfers/stops/stop-query.ts';
import { invalidate } from '../lib/api/read-again.ts';
import { ATTENTION_KEY } from '../lib/live/attention-key.ts';
import type { Change } from '../lib/live/change-stream.ts';
import { shownChangeAt } from '../lib/live/freshness.ts';
import { throttle } from '../lib/throttle.ts';

const PAYOUT_HISTORY = ['payout-history'];
const STATEMENTS = ['statements'];
const GROUP_EVERY_MS = 2_000;
/** The worker reads the exchanges all the time, so some trader changes every second. */
const LISTS_EVERY_MS = 4_000;
/** One statement over every kind. */
const ATTENTION_EVERY_MS = 5_000;

/** Topics that can begin or end a wait for a person. What other causes change shows at the next read. */
const MAY_NEED_PEOPLE: ReadonlySet<Change['topic']> = new Set([
  'payout',
  'payment',
  'invoice',
  'pool',
  'stop',
]);

/**
 * Applies a change to the queries. A change of a trader refreshes the lists and that trader's own screen, and no screen
 * of another trader.
 */
export function createRefresher(client: QueryClient): (change: Change) => void {
  let latestAt = 0;
  const refresh = (queryKey: QueryKey) => {
    // Queries out of sight are dropped instead of fetched: their screens may never open again.
    client.removeQueries({ queryKey, type: 'inactive' });
    void invalidate(client, { queryKey });
  };
  const throttledByKey = new Map<string, () => void>();
  const ask = (queryKey: QueryKey) => {
    const name = queryKey.join();
    const throttled = throttledByKey.get(name) ?? throttle(() => refresh(queryKey), GROUP_EVERY_MS);
    throttledByKey.set(name, throttled);
    throttled();
  };
  const refreshLists = throttle(() => {
    shownChangeAt.set(latestAt);
    refresh(tradersKeys.lists);
    refresh(invoicesKeys.lists);
    refresh(communitiesKeys.figures);
  }, LISTS_EVERY_MS);
  const askAttention = throttle(() => refresh(ATTENTION_KEY), ATTENTION_EVERY_MS);
  /** What no screen has read needs no throttle of its own. */
  const askHeld = (queryKey: QueryKey) => {
    if (client.getQueryCache().find({ queryKey, exact: false })) ask(queryKey);
  };
  const askTrader = (id: string) => askHeld(tradersKeys.detail(id));
  /** An open invoice shows its trader's name and reference number. */
  const askInvoicesOf = (traderId: string) => {
    const open = client.getQueryCache().findAll({ queryKey: invoicesKeys.details, type: 'active' });
    for (const { queryKey } of open) {
      const id = queryKey[invoicesKeys.details.length];
      if (
        typeof id === 'string' &&
        client.getQueryData<InvoiceDetail>(invoicesKeys.record(id))?.trader_id === traderId
      )
        ask(invoicesKeys.detail(id));
    }
  };
  const askPayouts = () => {
    ask(payoutsKeys.all);
    // A payout may have been paid, from the community's wallet.
    ask(communitiesKeys.allDays);
    ask(communitiesKeys.admin);
    ask(PAYOUT_HISTORY);
  };
  const askOwnSettings = () =>
    void import('../features/lists/read-own-settings.ts').then(
      ({ readOwnSettings }) => readOwnSettings(client),
      () => {},
    );
  const askOrganisation = (queryKey: QueryKey) => {
    ask(payoutsKeys.all);
    ask(queryKey);
    ask(tradersKeys.details);
    refreshLists();
  };

  return (change) => {
    latestAt = Math.max(latestAt, Date.parse(change.at) || 0);
    if (MAY_NEED_PEOPLE.has(change.topic)) {
      askAttention();
      // All that is booked is of one of these topics.
      askHeld(STATEMENTS);
    }
    switch (change.topic) {
      case 'reset':
        askOwnSettings();
        return ask([]);
      case 'payout':
        return askPayouts();
      case 'pool':
        ask(poolsKeys.all);
        // The AUM of a community includes its pool.
        return ask(communitiesKeys.admin);
      case 'community':
        return askOrganisation(['communities']);
      case 'provider':
        return askOrganisation(['providers']);
      case 'invoice':
        if (change.id) askHeld(invoicesKeys.detail(change.id));
        else askInvoicesOf(change.trader_id);
        askTrader(change.trader_id);
        break;
      case 'payment':
        askTrader(change.trader_id);
        break;
      case 'trader':
        if (!change.id) break;
        askTrader(change.id);
        askInvoicesOf(change.id);
        break;
      case 'stop':
        // Payouts that wait show the stop as their reason.
        ask(payoutsKeys.all);
        ask(PAYOUT_HISTORY);
        return refresh(stopKeys.all);
      case 'export':
        // It reads the list of exports again, and says what has ended. It loads with the first one.
        return void import('../features/exports/announce-exports.ts').then(
          ({ noteExport }) => noteExport(client, change.id),
          () => {},
        );
      case 'own_setting':
        return askOwnSettings();
      case 'attention':
        return askAttention();
      case 'bulk_act':
        return void import('../features/bulk/announce-bulk-acts.ts').then(
          ({ noteBulkAct }) => noteBulkAct(client, change.id),
          () => {},
        );
      case 'unknown':
        break;
      default:
        change satisfies never;
    }
    refreshLists();
  };
}
