import type { MessageOutcome } from '@copydesk/domain/messages';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { useState } from 'react';
import { languageName } from '../../lib/format/language-name.ts';
import { MESSAGE_KIND_NAMES, type Message, messageProblem } from '../../lib/format/message-texts.ts';
import type { Tone } from '../../ui/feedback/badge.tsx';
import { State } from '../../ui/feedback/state.tsx';
import { ChatText } from '../../ui/figures/chat-text.tsx';
import { Name } from '../../ui/figures/linked.tsx';
import { When } from '../../ui/figures/when.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { hasAct, MessageAct } from './message-act.tsx';
import { OUTCOME_LABELS } from './messages-search.ts';

const TONES: Record<MessageOutcome, Tone> = {
  not_delivered: 'negative',
  waiting: 'neutral',
  sent: 'positive',
  overtaken: 'neutral',
};

/** A cell of two lines, which a card has at its end. */
const LINES = 'block max-md:text-end md:py-1';
/** Its second line. */
const BELOW = 'block text-xs text-muted';

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

/** Two lines of it, and all when it is pressed. */
function Text({ message }: { message: Message }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <button
      type="button"
      aria-expanded={isWhole}
      title={isWhole ? undefined : 'Show the whole message'}
      onClick={() => setWhole(!isWhole)}
      className="block w-full rounded-md py-1 text-start whitespace-normal hover:opacity-80"
    >
      <ChatText isCut={!isWhole}>{message.text}</ChatText>
    </button>
  );
}

/** @param mayRetry whether the reader sends messages again */
export const messageColumns = (mayRetry: boolean): readonly PlainColumn<Message, string>[] => [
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
    width: '14%',
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
    width: '17%',
    onCard: 'line',
    cell: (message) => <Outcome {...message} />,
  },
  {
    id: 'text',
    header: 'Message',
    width: '29%',
    onCard: 'line',
    cell: (message) => <Text message={message} />,
  },
  {
    id: 'created_at',
    header: 'Written',
    width: '11%',
    onCard: 'line',
    cell: ({ created_at: at, sent_at: sentAt }) => (
      <span className={LINES}>
        <When at={at} />{' '}
        {sentAt && (
          <span className={BELOW}>
            Sent <When at={sentAt} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'act',
    header: 'Act',
    headerCell: <span className="sr-only">Act</span>,
    width: '14%',
    align: 'end',
    isFixed: true,
    onCard: 'line',
    cell: (message) =>
      hasAct(message, mayRetry) ? <MessageAct message={message} name={addresseeOf(message)} /> : null,
  },
];
