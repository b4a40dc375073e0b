import { findNamedBots } from '../../features/bots/exchange-bot/bot/bots.views.ts';
import { findNamedOrders } from '../../features/bots/exchange-bot/sales/sales.views.ts';
import { findNamedCommunities } from '../../features/communities/communities.views.ts';
import { findNamedInvoices } from '../../features/invoices/list/found-invoices.views.ts';
import { findNamedPayouts } from '../../features/payouts/history/found-payouts.views.ts';
import { findNamedPeople } from '../../features/people/users/users.views.ts';
import { findNamedPools } from '../../features/pools/pools.views.ts';
import { findNamedProviders } from '../../features/providers/providers.views.ts';
import { findNamedTraders } from '../../features/traders/found-traders.views.ts';
import type { SearchSources } from '../../platform/http/search-source.ts';

/** What each kind of thing is found by. */
export const SEARCH_SOURCES: SearchSources = {
  trader: findNamedTraders,
  community: findNamedCommunities,
  provider: findNamedProviders,
  pool: findNamedPools,
  invoice: findNamedInvoices,
  payout: findNamedPayouts,
  person: findNamedPeople,
  bot: findNamedBots,
  order: findNamedOrders,
};
