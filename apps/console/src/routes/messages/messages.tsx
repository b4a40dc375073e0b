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
import { countIn, ListHead } from '../../ui/list/list-head.tsx';
import { useDirectoryOptions } from '../use-directory-options.ts';

const PANEL_ID = 'messages-panel';

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
        <ListHead
          what="messages"
          tabs={{
            label: 'Messages by state',
            panelId: PANEL_ID,
            ids: MESSAGE_OUTCOMES,
            labelOf: (id) => OUTCOME_LABELS[id],
            countOf: meta && countIn(meta.outcomes),
            active: filters.outcome,
            onChange: (id) => narrow({ outcome: id }),
          }}
          list={messagesList}
          values={filters}
          sources={options}
          onChange={narrow}
          search={{ label: 'Search messages by trader or community', placeholder: 'Trader or community' }}
          found={meta && found}
          error={error}
        >
          <ViewsButton
            screen="messages"
            list={messagesList}
            search={search}
            columns={columns}
            countOf={countMessagesQuery}
            onApply={change}
          />
        </ListHead>
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

export default function MessagesScreen() {
  return (
    <OpensWithView screen="messages" list={messagesList}>
      <Messages />
    </OpensWithView>
  );
}
