import { useQuery } from '@tanstack/react-query';
import CreditCard from 'lucide-react/icons/credit-card';
import SearchX from 'lucide-react/icons/search-x';
import { useMemo, useState } from 'react';
import { ManageDialog } from '../../features/billing/manage-dialog.tsx';
import { PaymentLinkDialog } from '../../features/billing/payment-link-dialog.tsx';
import { subscriptionColumns } from '../../features/billing/subscription-columns.tsx';
import { type ListedSubscription, subscriptionsQuery } from '../../features/billing/subscription-query.ts';
import { STATE_LABELS } from '../../features/billing/subscription-texts.ts';
import {
  narrowSubscriptions,
  type SubscriptionsSearch,
  subscriptionsList,
} from '../../features/billing/subscriptions-list.ts';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { formatCount } from '../../lib/format/numbers.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ListHead } from '../../ui/list/list-head.tsx';
import { ListPanel } from '../../ui/list/list-panel.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';
import { SortSelect } from '../../ui/table/sort-select.tsx';
import { ToTraders } from '../admin/admin-page.tsx';

const PANEL_ID = 'subscriptions-panel';
const TABS = ['past_due', 'lapsed', 'trialing', 'active', 'canceled', 'none'] as const;
const SORT_CHOICES = [
  { id: 'urgency', label: 'Urgency' },
  { id: 'next', label: 'Date' },
  { id: 'name', label: 'Community' },
] as const;
const NO_OFFER = { is_configured: false, plans: { monthly: null, yearly: null } };

function Subscriptions() {
  usePageTitle('Subscriptions');
  const [search, change] = useScreenSearch(subscriptionsList.read);
  const filters = useMemo(() => ({ ...subscriptionsList.complete(search), state: search.state }), [search]);
  const { data, error, refetch } = useQuery(subscriptionsQuery);
  const [managed, setManaged] = useState<ListedSubscription | null>(null);
  const [told, setTold] = useState<ListedSubscription | null>(null);
  const offer = data?.meta ?? NO_OFFER;
  const columns = useMemo(
    () => subscriptionColumns({ offer, onManage: setManaged, onSendLink: setTold }),
    [offer],
  );
  const { rows, counts } = useMemo(() => narrowSubscriptions(data?.data ?? [], filters), [data, filters]);
  const sort = (next: typeof filters.sort) => change(subscriptionsList.sortParams(next));
  const { state } = filters;
  const found = rows.length === 1 ? '1 community' : `${formatCount(rows.length)} communities`;
  const isNarrowed = filters.search !== undefined || filters.interval !== undefined;
  return (
    <Page>
      <div>
        <PageHeader
          title="Subscriptions"
          note="What communities pay for the platform, as Stripe last reported it. An archived community is shown while it still pays."
        />
        <ListHead
          what="subscriptions"
          tabs={{
            label: 'Subscriptions by state',
            panelId: PANEL_ID,
            ids: TABS,
            labelOf: (id) => STATE_LABELS[id],
            countOf: data && ((id) => formatCount(counts[id ?? 'all'])),
            active: state,
            onChange: (id) => change({ state: id }),
          }}
          list={subscriptionsList}
          values={filters}
          sources={{}}
          onChange={change}
          search={{ label: 'Search subscriptions by community', placeholder: 'Community' }}
          sort={<SortSelect columns={SORT_CHOICES} sort={filters.sort} onChange={sort} />}
          found={data && found}
          error={error}
        />
        {data && !data.meta.is_configured && (
          <p className="mb-3 max-w-180 text-pretty text-muted">
            This server has no keys of Stripe. Subscriptions cannot be bought or changed here, and nothing is
            closed without one.
          </p>
        )}
        <ListPanel
          id={PANEL_ID}
          tab={state}
          what="subscriptions"
          list={{ data, error, refetch }}
          loading={<SkeletonTable columns={columns} rows={8} />}
          isEmpty={rows.length === 0}
          empty={<Empty search={search} onChange={change} isNarrowed={isNarrowed} />}
        >
          <PlainTable
            label="Subscriptions"
            columns={columns}
            rows={rows}
            keyOf={(row) => row.community_id}
            sort={filters.sort}
            onSort={(next) => sort(next as typeof filters.sort)}
          />
        </ListPanel>
      </div>
      {managed && (
        <ManageDialog
          community={{ id: managed.community_id, name: managed.community }}
          onClose={() => setManaged(null)}
        />
      )}
      {told && (
        <PaymentLinkDialog
          community={{ id: told.community_id, name: told.community }}
          onClose={() => setTold(null)}
        />
      )}
    </Page>
  );
}

interface EmptyProps {
  search: SubscriptionsSearch;
  isNarrowed: boolean;
  onChange(change: SubscriptionsSearch): void;
}

function Empty({ search: { state }, isNarrowed, onChange }: EmptyProps) {
  if (isNarrowed)
    return (
      <MessagePanel icon={SearchX} title="No subscriptions found" text="Change the search or the filters.">
        <Button onClick={() => onChange(subscriptionsList.noFilters)}>Clear filters</Button>
      </MessagePanel>
    );
  return (
    <MessagePanel
      icon={CreditCard}
      title={state ? `No community is here under ${STATE_LABELS[state]}` : 'No communities yet'}
      text={state ? 'The other tabs have the rest.' : 'They are created on the Super Admin dashboard.'}
    />
  );
}

export default function SubscriptionsScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Subscriptions />
    </SuperOnly>
  );
}
