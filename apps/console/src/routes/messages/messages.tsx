import { MESSAGE_OUTCOMES } from '@copydesk/domain/messages';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useSession } from '../../features/identity/identity-context.ts';
import { useListLayout } from '../../features/lists/list-layout.ts';
import { OpensWithView } from '../../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../../features/lists/views-button.tsx';
import { BotChoice } from '../../features/messages/bot-choice.tsx';
import { MessagesPanel } from '../../features/messages/messages-panel.tsx';
import { countMessagesQuery, messagesQuery } from '../../features/messages/messages-queries.ts';
import {
  type MessagesSearch,
  messagesFrom,
  messagesList,
  OUTCOME_LABELS,
} from '../../features/messages/messages-search.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { useAsOf } from '../../lib/live/freshness.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ListToolbar } from '../../ui/list/list-toolbar.tsx';
import { CountTabs } from '../../ui/table/count-tabs.tsx';
import { useDirectoryOptions } from '../use-directory-options.ts';

const PANEL_ID = 'messages-panel';
const TABS = ['all', ...MESSAGE_OUTCOMES] as const;
const LABELS = { all: 'All', ...OUTCOME_LABELS } as const;

function Messages() {
  usePageTitle('Messages');
  const [search, change] = useScreenSearch(messagesList.read);
  const filters = useMemo(() => messagesFrom(search), [search]);
  const { data, error, isPlaceholderData, refetch } = useQuery(messagesQuery(filters));
  const columns = useListLayout('messages', search.saved);
  const options = useDirectoryOptions();
  const session = useSession();
  const user = session.status === 'signed-in' ? session.user : null;
  const narrow = useCallback(
    (changed: MessagesSearch, how?: { replace: boolean }) => change({ ...changed, page: undefined }, how),
    [change],
  );
  const changeText = useCallback(
    (text: string | undefined) => narrow({ search: text }, { replace: true }),
    [narrow],
  );
  const meta = data?.meta;
  useAsOf(meta?.totals_at);
  const total = meta?.total ?? 0;
  const found = `${formatCount(total)} ${total === 1 ? 'message' : 'messages'}`;
  return (
    <Page>
      <div>
        <PageHeader
          title="Messages"
          note={
            user?.super ? 'To traders and to owners of communities.' : 'To the traders of your providers.'
          }
          actions={user?.super && <BotChoice of="platform" />}
        />
        <div className="flex border-b border-line">
          <CountTabs
            label="Messages by state"
            panelId={PANEL_ID}
            active={filters.outcome ?? 'all'}
            tabs={TABS.map((id) => ({
              id,
              label: LABELS[id],
              count: meta ? formatCount(id === 'all' ? allOf(meta.outcomes) : meta.outcomes[id]) : '\u00a0',
            }))}
            onChange={(tab) => narrow({ outcome: tab === 'all' ? undefined : tab })}
          />
        </div>
        <ListToolbar
          list={messagesList}
          values={filters}
          sources={options}
          onChange={narrow}
          search={{
            label: 'Search messages by trader or community',
            placeholder: 'Trader or community',
            value: filters.search,
            onChange: changeText,
          }}
          found={meta ? found : error ? '' : 'Loading messages...'}
        >
          <ViewsButton
            screen="messages"
            list={messagesList}
            search={search}
            columns={columns}
            countOf={countMessagesQuery}
            onApply={change}
          />
        </ListToolbar>
        <MessagesPanel
          id={PANEL_ID}
          filters={filters}
          list={{ data, error, isPlaceholderData, refetch }}
          onChange={change}
          arrangement={columns}
          mayRetry={user?.super === true && user.viewed_by === null}
        />
      </div>
    </Page>
  );
}

const allOf = (outcomes: Record<string, number>) => Object.values(outcomes).reduce((sum, n) => sum + n, 0);

export default function MessagesScreen() {
  return (
    <OpensWithView screen="messages" list={messagesList}>
      <Messages />
    </OpensWithView>
  );
}
