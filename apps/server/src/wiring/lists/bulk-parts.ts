import type { CallParsed } from '@copydesk/contract';
import { parseMatching } from '@copydesk/contract/bulk';
import type { BulkParts } from '../../features/bulk/bulk-parts.ts';
import { idsOfAccountHolders } from '../../features/exchanges/accounts/accounts.views.ts';
import { requestRefresh } from '../../features/exchanges/connections/exchange-accounts.store.ts';
import { planReadings } from '../../features/exchanges/connections/exchange-accounts.views.ts';
import { idsOfInvoicedTraders } from '../../features/invoices/list/invoices.views.ts';
import { resolveFilters } from '../../features/invoices/list/resolve-filters.ts';
import { askAsOneOfMany } from '../../features/messages/ask-key.service.ts';
import { planKeyRequests } from '../../features/messages/ask-key.store.ts';
import { notifyAsOneOfMany } from '../../features/messages/notify.service.ts';
import { planNotices } from '../../features/messages/notify.store.ts';
import { setSeenStatus } from '../../features/traders/traders.service.ts';
import { idsOfTraders, planStatuses } from '../../features/traders/traders.views.ts';

/** What can be done to many traders at once, and the lists that they are selected in. */
export const BULK_PARTS: BulkParts = {
  acts: {
    status: {
      plan: (tx, { status }) => planStatuses(tx, status),
      perform: (tx, { traderId, before }, { status }) => setSeenStatus(tx, traderId, { before, status }),
    },
    read: {
      plan: planReadings,
      perform: (tx, { traderId }) => requestRefresh(tx, traderId),
    },
    notify: {
      plan: planNotices,
      perform: (tx, { traderId }) => notifyAsOneOfMany(tx, traderId),
    },
    ask_key: {
      plan: planKeyRequests,
      perform: (tx, { traderId }) => askAsOneOfMany(tx, traderId),
    },
  },
  lists: {
    traders: (tx, query) =>
      idsOfTraders(tx, parseMatching('traders', query) as CallParsed<'GET /api/traders/export'>['query']),
    accounts: (tx, query) =>
      idsOfAccountHolders(tx, parseMatching('accounts', query) as CallParsed<'GET /api/accounts'>['query']),
    invoices: async (tx, query) => {
      const filters = parseMatching('invoices', query) as CallParsed<'GET /api/invoices/export'>['query'];
      return idsOfInvoicedTraders(tx, await resolveFilters(tx, filters));
    },
  },
};
