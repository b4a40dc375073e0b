import { useQuery } from '@tanstack/react-query';
import Bot from 'lucide-react/icons/bot';
import SearchX from 'lucide-react/icons/search-x';
import { useCallback, useMemo } from 'react';
import { botsQuery } from '../../features/bots/bot-queries.ts';
import { botsColumns } from '../../features/bots/bots-columns.tsx';
import { BOT_STATES, type BotState, botsList, narrowBots } from '../../features/bots/bots-list.ts';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ListToolbar } from '../../ui/list/list-toolbar.tsx';
import { CountTabs } from '../../ui/table/count-tabs.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';
import { SortSelect } from '../../ui/table/sort-select.tsx';
import { ToTraders } from '../admin/admin-page.tsx';

const PANEL_ID = 'bots-panel';
const TABS = ['all', ...BOT_STATES] as const;
const LABELS: Record<BotState | 'all', string> = { all: 'All', failing: 'Failing', on: 'On', off: 'Off' };
/** Of a tab without rows. */
const EMPTY: Record<BotState, string> = {
  failing: 'Bots that are on, and whose token or reading has a problem, appear here.',
  on: 'Bots that are on and answer appear here.',
  off: 'Bots that were switched off appear here.',
};
const SORT_CHOICES = [
  { id: 'urgency', label: 'Urgency' },
  { id: 'sold', label: 'Sold in 30 days' },
  { id: 'failed', label: 'Failed messages' },
  { id: 'name', label: 'Community' },
] as const;

function Bots() {
  usePageTitle('Bots');
  const [search, change] = useScreenSearch(botsList.read);
  const filters = useMemo(() => ({ ...botsList.complete(search), state: search.state }), [search]);
  const { data, error, refetch } = useQuery(botsQuery);
  const { rows, counts } = useMemo(() => narrowBots(data ?? [], filters), [data, filters]);
  const changeText = useCallback(
    (text: string | undefined) => change({ search: text }, { replace: true }),
    [change],
  );
  const sort = (next: typeof filters.sort) => change(botsList.sortParams(next));
  const { state } = filters;
  const found = rows.length === 1 ? '1 bot' : `${formatCount(rows.length)} bots`;
  return (
    <Page>
      <div>
        <PageHeader
          title="Bots"
          note="The Telegram bots that sell access to communities. They are connected on the pages of their communities."
        />
        <div className="flex border-b border-line">
          <CountTabs
            label="Bots by state"
            panelId={PANEL_ID}
            active={state ?? 'all'}
            tabs={TABS.map((id) => ({
              id,
              label: LABELS[id],
              count: data ? formatCount(counts[id]) : '\u00a0',
            }))}
            onChange={(tab) => change({ state: tab === 'all' ? undefined : tab })}
          />
        </div>
        <ListToolbar
          list={botsList}
          values={filters}
          sources={{}}
          onChange={change}
          search={{
            label: 'Search bots by community or name',
            placeholder: 'Community or bot',
            value: filters.search,
            onChange: changeText,
          }}
          sort={<SortSelect columns={SORT_CHOICES} sort={filters.sort} onChange={sort} />}
          found={data ? found : error ? '' : 'Loading bots...'}
        />
        <section
          id={PANEL_ID}
          role="tabpanel"
          aria-labelledby={`${PANEL_ID}-${state ?? 'all'}`}
          className="overflow-hidden border-line bg-surface max-sm:-mx-4 max-sm:border-y sm:rounded-lg sm:border"
        >
          <QueryState
            error={
              error && !data ? { title: 'The bots could not be loaded', message: messageOf(error) } : null
            }
            onRetry={() => void refetch()}
            isLoading={!data}
            loading={<SkeletonTable columns={botsColumns} rows={8} />}
            isEmpty={rows.length === 0}
            empty={
              filters.search !== undefined ? (
                <MessagePanel icon={SearchX} title="No bots found" text="Change the search.">
                  <Button onClick={() => change(botsList.noFilters)}>Clear search</Button>
                </MessagePanel>
              ) : (
                <MessagePanel
                  icon={Bot}
                  title={state ? `No bot is ${LABELS[state].toLowerCase()}` : 'No bots yet'}
                  text={state ? EMPTY[state] : 'They are connected on the pages of their communities.'}
                />
              )
            }
          >
            <PlainTable
              label="Bots"
              columns={botsColumns}
              rows={rows}
              keyOf={(bot) => bot.id}
              sort={filters.sort}
              onSort={(next) => sort(next as typeof filters.sort)}
            />
          </QueryState>
        </section>
      </div>
    </Page>
  );
}

export default function BotsScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Bots />
    </SuperOnly>
  );
}
