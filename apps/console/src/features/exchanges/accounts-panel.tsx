import { ACCOUNT_STATES } from '@copydesk/domain/trading';
import KeyRound from 'lucide-react/icons/key-round';
import SearchX from 'lucide-react/icons/search-x';
import { type ComponentProps, type ReactNode, useCallback, useMemo } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import type { RowSelecting } from '../../lib/list/row-selection.ts';
import { useLastPage } from '../../lib/list/use-last-page.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/form/button.tsx';
import { MatchOffers } from '../../ui/form/filters/match-offers.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';
import { accountColumns } from './account-columns.tsx';
import { STATE_LABELS } from './account-texts.ts';
import type { AccountsAnswer } from './accounts-queries.ts';
import { type AccountsFilters, type AccountsSearch, accountsList, PAGE_SIZES } from './accounts-search.ts';

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
  list: {
    data: AccountsAnswer | undefined;
    error: Error | null;
    isPlaceholderData: boolean;
    refetch(): unknown;
  };
  onChange(change: AccountsSearch, how?: { replace: boolean }): void;
  arrangement: ComponentProps<typeof PlainTable>['arrangement'];
  /** Of traders; null for who may have nothing read. */
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
  const { page, rows, state, search, sort } = filters;
  const { data, error, isPlaceholderData } = list;
  const columns = useMemo(() => accountColumns(selecting), [selecting]);
  const total = data?.meta.total;
  const toPage = useCallback(
    (to: number) => onChange({ page: to === 1 ? undefined : String(to) }, { replace: true }),
    [onChange],
  );
  useLastPage({ page, rows, total: isPlaceholderData ? undefined : total }, toPage);
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
    <section
      id={id}
      role="tabpanel"
      aria-labelledby={`${id}-${state ?? 'all'}`}
      className="relative border border-line bg-surface max-sm:-mx-4 max-sm:border-x-0 sm:overflow-hidden sm:rounded-lg"
    >
      <QueryState
        error={
          error && !data ? { title: 'The accounts could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void list.refetch()}
        isLoading={!data}
        loading={<SkeletonTable columns={columns} rows={8} />}
        isEmpty={total === 0}
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
          isStale={isPlaceholderData}
          arrangement={arrangement}
        />
        <Pager
          page={page}
          pageRows={rows}
          total={total ?? 0}
          onChange={toPage}
          sizes={{ options: PAGE_SIZES, onChange: (size) => onChange(accountsList.rowsParam(size)) }}
        />
        {acts}
      </QueryState>
    </section>
  );
}
