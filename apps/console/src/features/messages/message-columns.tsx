import type { MessageOutcome } from '@copydesk/domain/messages';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { languageName } from '../../lib/format/language-name.ts';
import { MESSAGE_KIND_NAMES, type Message, messageProblem } from '../../lib/format/message-texts.ts';
import type { RowSelecting } from '../../lib/list/row-selection.ts';
import type { Tone } from '../../ui/feedback/badge.tsx';
import { State } from '../../ui/feedback/state.tsx';
import { Name } from '../../ui/figures/linked.tsx';
import { When } from '../../ui/figures/when.tsx';
import { BELOW, LINES } from '../../ui/table/cell-lines.ts';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { hasAct, MessageAct } from './message-act.tsx';
import { MessageText, Written } from './message-cells.tsx';
import { OUTCOME_LABELS } from './messages-search.ts';
import { selectFailed } from './retry/select-failed.tsx';

const TONES: Record<MessageOutcome, Tone> = {
  not_delivered: 'negative',
  waiting: 'neutral',
  sent: 'positive',
  overtaken: 'neutral',
};

/** Whom a message is for, in one line. */
const addresseeOf = ({ trader, community }: Message): string =>
  trader ?? `Owner of ${community ?? 'a community'}`;

function Addressee(message: Message) {
  const { trader_id: traderId, community_id: communityId, community, provider_name: provider } = message;
  const name = addresseeOf(message);
  return (
    <span className="block md:py-1">
      <bdi className="block truncate" title={name}>
        {traderId ? (
          <Name to={{ to: '/trader/$traderId', params: { traderId } }}>{name}</Name>
        ) : communityId ? (
          <Name to={{ to: '/community-settings/$communityId', params: { communityId } }}>{name}</Name>
        ) : (
          name
        )}
      </bdi>{' '}
      {traderId && (
        <bdi className={`${BELOW} truncate`} title={provider ?? undefined}>
          {community ?? 'Unknown Community'}
        </bdi>
      )}
    </span>
  );
}

function Outcome({ outcome, problem, trader_id: traderId, attempts, next_attempt_at: next }: Message) {
  return (
    <span className={LINES}>
      <State tone={TONES[outcome]} icon={outcome === 'not_delivered' ? CircleAlert : undefined}>
        {OUTCOME_LABELS[outcome]}
      </State>{' '}
      {problem && (
        <span className={`${BELOW} text-pretty whitespace-normal`}>
          {messageProblem(problem, traderId !== null)}
        </span>
      )}
      {next && attempts > 0 && (
        <span className={BELOW}>
          Next try <When at={next} />
        </span>
      )}
    </span>
  );
}

/**
 * @param mayRetry whether the reader sends messages again
 * @param selecting null where none of the rows can be
 */
export const messageColumns = (
  mayRetry: boolean,
  selecting: RowSelecting | null,
): readonly PlainColumn<Message, string>[] => [
  ...(selecting ? [selectFailed<Message>(selecting, addresseeOf)] : []),
  {
    id: 'to',
    header: 'To',
    width: '15%',
    isPinned: true,
    onCard: 'lead',
    cell: (message) => <Addressee {...message} />,
  },
  {
    id: 'kind',
    header: 'Kind',
    width: '13%',
    onCard: 'line',
    cell: ({ kind, language }) => (
      <span className={LINES}>
        {MESSAGE_KIND_NAMES[kind]} <span className={BELOW}>{languageName(language)}</span>
      </span>
    ),
  },
  {
    id: 'outcome',
    header: 'State',
    width: '20%',
    onCard: 'line',
    cell: (message) => <Outcome {...message} />,
  },
  {
    id: 'text',
    header: 'Message',
    width: '25%',
    onCard: 'line',
    cell: ({ text }) => <MessageText text={text} />,
  },
  {
    id: 'created_at',
    header: 'Written',
    width: '11%',
    onCard: 'line',
    cell: (message) => <Written {...message} />,
  },
  {
    id: 'act',
    header: 'Act',
    headerCell: <span className="sr-only">Act</span>,
    width: '16%',
    align: 'end',
    isFixed: true,
    onCard: 'line',
    cell: (message) =>
      hasAct(message, mayRetry) ? <MessageAct message={message} name={addresseeOf(message)} /> : null,
  },
];
