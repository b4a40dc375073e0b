import { useQuery } from '@tanstack/react-query';
import Bot from 'lucide-react/icons/bot';
import SearchX from 'lucide-react/icons/search-x';
import { useMemo } from 'react';
import { botsQuery } from '../../features/bots/bot-queries.ts';
import { botsColumns } from '../../features/bots/bots-columns.tsx';
import { BOT_STATES, type BotState, botsList, narrowBots } from '../../features/bots/bots-list.ts';
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

const PANEL_ID = 'bots-panel';
const LABELS: Record<BotState, string> = { failing: 'Failing', on: 'On', off: 'Off' };
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
        <ListHead
          what="bots"
          tabs={{
            label: 'Bots by state',
            panelId: PANEL_ID,
            ids: BOT_STATES,
            labelOf: (id) => LABELS[id],
            countOf: data && ((id) => formatCount(counts[id ?? 'all'])),
            active: state,
            onChange: (id) => change({ state: id }),
          }}
          list={botsList}
          values={filters}
          sources={{}}
          onChange={change}
          search={{ label: 'Search bots by community or name', placeholder: 'Community or bot' }}
          sort={<SortSelect columns={SORT_CHOICES} sort={filters.sort} onChange={sort} />}
          found={data && found}
          error={error}
        />
        <ListPanel
          id={PANEL_ID}
          tab={state}
          what="bots"
          list={{ data, error, refetch }}
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
        </ListPanel>
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
