import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useSession } from '../../features/identity/identity-context.ts';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { useListLayout } from '../../features/lists/list-layout.ts';
import { OpensWithView } from '../../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../../features/lists/views-button.tsx';
import { BotChoice } from '../../features/messages/bot-choice.tsx';
import { BotsMessagesPanel } from '../../features/messages/bots/bots-messages-panel.tsx';
import {
  botsMessagesQuery,
  countBotsMessagesQuery,
  countWords,
} from '../../features/messages/bots/bots-messages-queries.ts';
import {
  BOT_MESSAGE_STATES,
  type BotsMessagesSearch,
  botsMessagesFrom,
  botsMessagesList,
  STATE_LABELS,
} from '../../features/messages/bots/bots-messages-search.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ListHead } from '../../ui/list/list-head.tsx';
import { ToTraders } from '../admin/admin-page.tsx';
import { useDirectoryOptions } from '../use-directory-options.ts';

const PANEL_ID = 'bots-messages-panel';

function BotsMessages() {
  usePageTitle("Messages of communities' bots");
  const [search, change] = useScreenSearch(botsMessagesList.read);
  const filters = useMemo(() => botsMessagesFrom(search), [search]);
  const { data, error, isPlaceholderData, refetch } = useQuery(botsMessagesQuery(filters));
  const columns = useListLayout('bot_messages', search.saved);
  const options = useDirectoryOptions();
  const session = useSession();
  const narrow = useCallback(
    (changed: BotsMessagesSearch, how?: { replace: boolean }) => change({ ...changed, page: undefined }, how),
    [change],
  );
  const meta = data?.meta;
  const found = meta && `${countWords(meta, filters.state)} ${meta.total === 1 ? 'message' : 'messages'}`;
  return (
    <Page>
      <div>
        <PageHeader
          title="Messages"
          note="Of the bots of communities, to people who wrote to them."
          actions={<BotChoice of="communities" />}
        />
        <ListHead
          what="messages"
          tabs={{
            label: 'Messages by state',
            panelId: PANEL_ID,
            ids: BOT_MESSAGE_STATES,
            labelOf: (id) => STATE_LABELS[id],
            countOf: meta && ((id) => countWords(meta, id)),
            active: filters.state,
            onChange: (id) => narrow({ state: id }),
          }}
          list={botsMessagesList}
          values={filters}
          sources={options}
          onChange={narrow}
          search={{ label: 'Search messages by person', placeholder: 'Name, @name or Telegram ID' }}
          found={found}
          error={error}
        >
          <ViewsButton
            screen="bot_messages"
            list={botsMessagesList}
            search={search}
            columns={columns}
            countOf={countBotsMessagesQuery}
            onApply={change}
          />
        </ListHead>
        <BotsMessagesPanel
          id={PANEL_ID}
          filters={filters}
          list={{ data, error, isPlaceholderData, refetch }}
          onChange={change}
          arrangement={columns}
          mayRetry={session.status === 'signed-in' && session.user.viewed_by === null}
        />
      </div>
    </Page>
  );
}

export default function BotsMessagesScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <OpensWithView screen="bot_messages" list={botsMessagesList}>
        <BotsMessages />
      </OpensWithView>
    </SuperOnly>
  );
}
