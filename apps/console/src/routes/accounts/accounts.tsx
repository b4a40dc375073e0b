import { ACCOUNT_STATES, ADDRESS_PROBLEMS } from '@copydesk/domain/trading';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { STATE_LABELS } from '../../features/exchanges/account-texts.ts';
import { AccountsPanel } from '../../features/exchanges/accounts-panel.tsx';
import {
  accountFilters,
  accountsQuery,
  countAccountsQuery,
} from '../../features/exchanges/accounts-queries.ts';
import { type AccountsSearch, accountsFrom, accountsList } from '../../features/exchanges/accounts-search.ts';
import { useSession } from '../../features/identity/identity-context.ts';
import { useListLayout } from '../../features/lists/list-layout.ts';
import { OpensWithView } from '../../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../../features/lists/views-button.tsx';
import { EgressNote } from '../../features/traders/detail/connect/egress-note.tsx';
import { exchangeName } from '../../lib/format/exchange-name.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { useRowSelection } from '../../lib/list/row-selection.ts';
import { useAsOf } from '../../lib/live/freshness.ts';
import { useCan } from '../../lib/rights.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { InfoTip } from '../../ui/feedback/info-tip.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { TitleFigure } from '../../ui/layout/title-figure.tsx';
import { countIn, ListHead } from '../../ui/list/list-head.tsx';
import { SortSelect } from '../../ui/table/sort-select.tsx';
import { useDirectoryOptions } from '../use-directory-options.ts';

const ReadActs = lazy(() => import('../../features/bulk/read-acts.tsx'));

const PANEL_ID = 'accounts-panel';
const SORT_CHOICES = [
  { id: 'unread_for', label: 'Since' },
  { id: 'equity', label: 'Equity' },
] as const;

function Accounts() {
  usePageTitle('Accounts');
  const [search, change] = useScreenSearch(accountsList.read);
  const filters = useMemo(() => accountsFrom(search), [search]);
  const { data, error, isPlaceholderData, refetch } = useQuery(accountsQuery(filters));
  const columns = useListLayout('accounts', search.saved);
  const options = useDirectoryOptions();
  const session = useSession();
  const user = session.status === 'signed-in' ? session.user : null;
  const mayRead = useCan('traders:write') && user?.viewed_by === null;
  const { sort: _, page: __, rows: ___, ...narrowed } = filters;
  const selecting = useRowSelection(JSON.stringify(narrowed));
  const narrow = useCallback(
    (changed: AccountsSearch, how?: { replace: boolean }) => change({ ...changed, page: undefined }, how),
    [change],
  );
  const meta = data?.meta;
  useAsOf(meta?.totals_at);
  const { state, problem, exchange } = filters;
  const total = meta?.total ?? 0;
  const found = `${formatCount(total)} ${total === 1 ? 'account' : 'accounts'}`;
  return (
    <Page>
      <div>
        <PageHeader
          title="Accounts"
          note={user?.super === false && 'Those of your providers.'}
          actions={
            <TitleFigure
              label="Equity not read"
              tip={<InfoTip about="the equity that is not read" text={NOT_READ} />}
            >
              {meta ? (
                <Money as="equity" amount={meta.equity_unread} />
              ) : error ? (
                <Money as="equity" amount={null} />
              ) : null}
            </TitleFigure>
          }
        />
        <ListHead
          what="accounts"
          tabs={{
            label: 'Accounts by state',
            panelId: PANEL_ID,
            ids: ACCOUNT_STATES,
            labelOf: (id) => STATE_LABELS[id],
            countOf: meta && countIn(meta.states),
            active: state,
            onChange: (id) => narrow({ state: id }),
          }}
          list={accountsList}
          values={filters}
          sources={options}
          onChange={narrow}
          search={{ label: 'Search accounts by trader or account', placeholder: 'Trader or account' }}
          sort={
            <SortSelect
              columns={SORT_CHOICES}
              sort={filters.sort}
              onChange={(sort) => change(accountsList.sortParams(sort))}
            />
          }
          found={meta && found}
          error={error}
        >
          <ViewsButton
            screen="accounts"
            list={accountsList}
            search={search}
            columns={columns}
            countOf={countAccountsQuery}
            onApply={change}
          />
        </ListHead>
        <div className="mb-3 max-w-180 empty:hidden">
          {problem && ADDRESS_PROBLEMS.has(problem) && <EgressNote />}
          {state === 'unread' && total > 0 && (
            <p className="text-pretty text-muted">
              No key of these{exchange && ` at ${exchangeName(exchange)}`} is known to be wrong. They are read
              again without anybody doing anything, once the exchange answers or a worker comes to them.
            </p>
          )}
        </div>
        <AccountsPanel
          id={PANEL_ID}
          filters={filters}
          list={{ data, error, isPlaceholderData, refetch }}
          onChange={change}
          arrangement={columns}
          selecting={mayRead ? selecting : null}
          acts={
            mayRead &&
            (selecting.selection.isAll || selecting.selection.ids.size > 0) && (
              <Suspense fallback={null}>
                <ReadActs selecting={selecting} query={accountFilters(filters)} />
              </Suspense>
            )
          }
        />
      </div>
    </Page>
  );
}

const NOT_READ =
  'What the failing and unread accounts of this list held when each was last read. AUM still counts it; an account that never had a figure adds nothing.';

export default function AccountsScreen() {
  return (
    <OpensWithView screen="accounts" list={accountsList}>
      <Accounts />
    </OpensWithView>
  );
}
