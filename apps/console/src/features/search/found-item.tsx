import { shortId } from '@copydesk/domain/money';
import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import Bot from 'lucide-react/icons/bot';
import Building2 from 'lucide-react/icons/building-2';
import Landmark from 'lucide-react/icons/landmark';
import Layers from 'lucide-react/icons/layers';
import Network from 'lucide-react/icons/network';
import Receipt from 'lucide-react/icons/receipt';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import UserCog from 'lucide-react/icons/user-cog';
import Users from 'lucide-react/icons/users';
import { capitalised, statusWords } from '../../lib/format/payout-texts.ts';
import { State } from '../../ui/feedback/state.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { When } from '../../ui/figures/when.tsx';
import type { Found } from './search-query.ts';

interface Kind {
  /** Above its matches. */
  label: string;
  icon: LucideIcon;
  /** Where it is shown; staff have no page of a community, but its traders. */
  to(id: string, isSuper: boolean): Pick<LinkProps, 'to' | 'params' | 'search'>;
}

/** The kinds in the order in which they are shown. */
export const KINDS: Record<Found['kind'], Kind> = {
  trader: {
    label: 'Traders',
    icon: Users,
    to: (traderId) => ({ to: '/trader/$traderId', params: { traderId } }),
  },
  community: {
    label: 'Communities',
    icon: Network,
    to: (communityId, isSuper) =>
      isSuper
        ? { to: '/community-settings/$communityId', params: { communityId } }
        : { to: '/', search: { community: communityId } },
  },
  provider: {
    label: 'Providers',
    icon: Building2,
    to: (providerId) => ({ to: '/providers/$providerId', params: { providerId } }),
  },
  pool: { label: 'Pools', icon: Layers, to: (poolId) => ({ to: '/pools/$poolId', params: { poolId } }) },
  invoice: {
    label: 'Invoices',
    icon: Receipt,
    to: (invoiceId) => ({ to: '/invoices/$invoiceId', params: { invoiceId } }),
  },
  payout: {
    label: 'Payouts',
    icon: Landmark,
    to: (payout) => ({ to: '/transaction-history', search: { payout } }),
  },
  person: { label: 'People', icon: UserCog, to: (userId) => ({ to: '/people/$userId', params: { userId } }) },
  bot: {
    label: 'Bots',
    icon: Bot,
    to: (communityId) => ({ to: '/community-settings/$communityId/bot', params: { communityId } }),
  },
  order: {
    label: 'Orders of bots',
    icon: ShoppingCart,
    to: (orderId) => ({ to: '/bots/orders/$orderId', params: { orderId } }),
  },
};

const GOOD = new Set(['paid', 'distributed']);

function Status({ kind, status }: Pick<Found, 'kind'> & { status: string }) {
  const tone = status === 'failed' ? 'negative' : GOOD.has(status) ? 'positive' : 'neutral';
  return <State tone={tone}>{capitalised(kind === 'payout' ? statusWords(status) : status)}</State>;
}

/** What was found, in one line: what it is called, what tells it from others, and its sum. */
export function FoundItem({ kind, title, note, amount, status, at }: Found) {
  const Icon = KINDS[kind].icon;
  return (
    <>
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <bdi
        className={kind === 'payout' ? 'shrink-0 font-mono text-sm' : 'min-w-0 shrink-0 truncate font-medium'}
      >
        {kind === 'payout' ? shortId(title) : title}
      </bdi>
      <span className="min-w-0 flex-1 truncate text-xs text-muted">{note && <bdi>{note}</bdi>}</span>
      {at && <When at={at} as="day" className="shrink-0 text-xs text-muted max-sm:hidden" />}
      {status && (
        <span className="shrink-0 text-xs">
          <Status kind={kind} status={status} />
        </span>
      )}
      {amount && (
        <span className="shrink-0 text-xs">
          {kind === 'trader' && <span className="text-muted">owes </span>}
          <Money amount={amount} />
        </span>
      )}
    </>
  );
}
