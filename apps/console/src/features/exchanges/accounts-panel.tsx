import { ACCOUNT_STATES } from '@copydesk/domain/trading';
import KeyRound from 'lucide-react/icons/key-round';
import SearchX from 'lucide-react/icons/search-x';
import { type ComponentProps, type ReactNode, useMemo } from 'react';
import { formatCount } from '../../lib/format/numbers.ts';
import type { RowSelecting } from '../../lib/list/row-selection.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { Button } from '../../ui/form/button.tsx';
import { MatchOffers } from '../../ui/form/filters/match-offers.tsx';
import { type ListedPage, PagedPanel } from '../../ui/list/list-panel.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';
import { accountColumns } from './account-columns.tsx';
import { STATE_LABELS } from './account-texts.ts';
import type { AccountsAnswer } from './accounts-queries.ts';
import { type AccountsFilters, type AccountsSearch, accountsList } from './accounts-search.ts';

/** Of a tab without rows. */
const EMPTY: Record<AccountsFilters['state'] & string, { title: string; text: string }> = {
  failing: {
    title: 'No account fails',
    text: 'Accounts whose key an exchange refuses, or which it does not let be read, appear here.',
  },
  unread: {
    title: 'No account is unread',
    text: 'Accounts that were not read for an hour, without a fault of their key, appear here.',
  },
  new: { title: 'No account is new', text: 'A connected account is here until its first reading.' },
  read: { title: 'No account is read', text: 'The other tabs say what keeps them from it.' },
};

interface AccountsPanelProps {
  id: string;
  filters: AccountsFilters;
  list: ListedPage<AccountsAnswer>;
  onChange(change: AccountsSearch, how?: { replace: boolean }): void;
  arrangement: ComponentProps<typeof PlainTable>['arrangement'];
  /** Of traders; null: the caller may have no account read. */
  selecting: RowSelecting | null;
  /** What can be done with the selected ones. */
  acts: ReactNode;
}

/** One page of the accounts. */
export function AccountsPanel({
  id,
  filters,
  list,
  onChange,
  arrangement,
  selecting,
  acts,
}: AccountsPanelProps) {
  const { state, search, sort } = filters;
  const { data } = list;
  const columns = useMemo(() => accountColumns(selecting), [selecting]);
  const isNarrowed = Object.keys(accountsList.filters).some(
    (name) => filters[name as 'search'] !== undefined,
  );
  const offers = ACCOUNT_STATES.flatMap((other) => {
    const n = data?.meta.states[other] ?? 0;
    if (!state || other === state || n === 0) return [];
    return {
      text: `Show ${formatCount(n)} in ${STATE_LABELS[other]}`,
      change: { state: other, page: undefined },
    };
  });
  const clear = () => onChange({ ...accountsList.noFilters, page: undefined });
  return (
    <PagedPanel
      id={id}
      tab={state}
      what="accounts"
      list={list}
      at={filters}
      pages={accountsList}
      onChange={onChange}
      acts={acts}
      loading={<SkeletonTable columns={columns} rows={8} />}
      empty={
        isNarrowed ? (
          <MessagePanel
            icon={SearchX}
            title="No accounts found"
            text={search ? 'Change the search or the filters.' : 'Change the filters.'}
          >
            <MatchOffers offers={offers} onChange={onChange} />
            <Button onClick={clear}>{search ? 'Clear search and filters' : 'Clear filters'}</Button>
          </MessagePanel>
        ) : (
          <MessagePanel
            icon={KeyRound}
            title={state ? EMPTY[state].title : 'No exchange accounts yet'}
            text={state ? EMPTY[state].text : 'They are connected on the page of a trader.'}
          />
        )
      }
    >
      <PlainTable
        label="Exchange accounts"
        columns={columns}
        rows={data?.data ?? []}
        keyOf={(account) => account.id}
        sort={sort}
        onSort={(next) => onChange(accountsList.sortParams(next as typeof sort))}
        isStale={list.isPlaceholderData}
        arrangement={arrangement}
      />
    </PagedPanel>
  );
}
