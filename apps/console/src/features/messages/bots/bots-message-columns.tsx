import CircleAlert from 'lucide-react/icons/circle-alert';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { BOT_MESSAGE_PROBLEMS, personName } from '../../../lib/format/message-texts.ts';
import type { RowSelecting } from '../../../lib/list/row-selection.ts';
import type { Tone } from '../../../ui/feedback/badge.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Name } from '../../../ui/figures/linked.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { BELOW, LINES } from '../../../ui/table/cell-lines.ts';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { MessageText, Written } from '../message-cells.tsx';
import { selectFailed } from '../retry/select-failed.tsx';
import { BOTS_KEY, type ListedBotMessage } from './bots-messages-queries.ts';
import { STATE_LABELS } from './bots-messages-search.ts';

const TONES: Record<ListedBotMessage['state'], Tone> = {
  failed: 'negative',
  queued: 'neutral',
  sent: 'positive',
};

/** What else tells a person from others of the same name. */
const handleOf = ({ name, telegram_username: username, telegram_user_id: id }: ListedBotMessage) =>
  name === null && !username ? null : name === null ? id : username ? `@${username}` : id;

function Person(message: ListedBotMessage) {
  const { community_id: communityId, community } = message;
  const name = personName(message);
  const handle = handleOf(message);
  return (
    <span className="block min-w-0 md:py-1">
      <span className="flex min-w-0 items-baseline gap-1.5" title={`${name}, ${message.telegram_user_id}`}>
        <bdi className="truncate">{name}</bdi>{' '}
        {handle && <bdi className="shrink-3 truncate text-xs font-normal text-muted">{handle}</bdi>}
      </span>{' '}
      <bdi className={`${BELOW} truncate font-normal`} title={community}>
        <Name to={{ to: '/community-settings/$communityId/bot', params: { communityId } }}>{community}</Name>
      </bdi>
    </span>
  );
}

function TryAgain({ message }: { message: ListedBotMessage }) {
  const { id, bot_id: botId } = message;
  const retry = useAct({
    send: (keyOf) =>
      call('POST /api/exchange-bot/{id}/messages/{messageId}/retry', {
        params: { id: botId, messageId: id },
        idempotencyKey: keyOf({ id }),
      }),
    done: () => ({ title: 'Message queued again' }),
    onDone: () => {},
    onError: (error) =>
      toast({ tone: 'negative', title: 'The message could not be sent again', text: messageOf(error) }),
    reads: BOTS_KEY,
  });
  return (
    <Button
      className="h-7!"
      aria-label={`Try again: message to ${personName(message)}`}
      aria-disabled={retry.isBusy}
      onClick={retry.onConfirm}
    >
      {retry.isBusy ? 'Sending...' : 'Try again'}
    </Button>
  );
}

/**
 * @param mayRetry whether the reader sends messages again
 * @param selecting null where none of the rows can be
 */
export const botsMessageColumns = (
  mayRetry: boolean,
  selecting: RowSelecting | null,
): readonly PlainColumn<ListedBotMessage, string>[] => [
  ...(selecting ? [selectFailed<ListedBotMessage>(selecting, personName)] : []),
  {
    id: 'to',
    header: 'To',
    width: '20%',
    isPinned: true,
    onCard: 'lead',
    cell: (message) => <Person {...message} />,
  },
  {
    id: 'state',
    header: 'State',
    width: '19%',
    onCard: 'line',
    cell: ({ state, problem }) => (
      <span className={LINES}>
        <State tone={TONES[state]} icon={state === 'failed' ? CircleAlert : undefined}>
          {STATE_LABELS[state]}
        </State>{' '}
        {problem && (
          <span className={`${BELOW} text-pretty whitespace-normal`}>{BOT_MESSAGE_PROBLEMS[problem]}</span>
        )}
      </span>
    ),
  },
  {
    id: 'text',
    header: 'Message',
    width: '36%',
    onCard: 'line',
    cell: ({ text }) => <MessageText text={text} isPlain />,
  },
  {
    id: 'created_at',
    header: 'Written',
    width: '13%',
    onCard: 'line',
    cell: (message) => <Written {...message} />,
  },
  {
    id: 'act',
    header: 'Act',
    headerCell: <span className="sr-only">Act</span>,
    width: '12%',
    align: 'end',
    isFixed: true,
    onCard: 'line',
    cell: (message) => (mayRetry && message.state === 'failed' ? <TryAgain message={message} /> : null),
  },
];
