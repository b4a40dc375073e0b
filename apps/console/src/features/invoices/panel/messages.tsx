import { useQuery } from '@tanstack/react-query';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Clock from 'lucide-react/icons/clock';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import {
  MESSAGE_KIND_NAMES,
  MESSAGE_PROBLEM_TEXTS,
  type Message,
} from '../../../lib/format/message-texts.ts';
import { State } from '../../../ui/feedback/state.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { ChatText } from '../../../ui/figures/chat-text.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PanelSection } from '../../../ui/layout/panel-section.tsx';
import { messagesQuery } from './invoice-query.ts';
import { PartState } from './part-state.tsx';

const STATES = {
  queued: { tone: 'caution', icon: Clock, word: 'On its way' },
  sent: { tone: 'positive', icon: CircleCheck, word: 'Sent' },
  failed: { tone: 'negative', icon: CircleAlert, word: 'Failed' },
} as const;

function Retry({ message }: { message: Message }) {
  const { id, invoice_id } = message;
  const retry = useAct({
    send: (keyOf) => call('POST /api/messages/{id}/retry', { params: { id }, idempotencyKey: keyOf({ id }) }),
    done: () => ({ title: 'Message queued again' }),
    onDone: () => {},
    onError: (error) =>
      toast({ tone: 'negative', title: 'The message could not be sent again', text: messageOf(error) }),
    ...(invoice_id && { reads: messagesQuery(invoice_id).queryKey }),
  });
  return (
    <Button className="h-7!" aria-disabled={retry.isBusy} onClick={retry.onConfirm}>
      {retry.isBusy ? 'Sending...' : 'Retry'}
    </Button>
  );
}

function Entry({ message, isSuper }: { message: Message; isSuper: boolean }) {
  const { kind, state, problem, text, created_at, sent_at } = message;
  const { tone, icon, word } = STATES[state];
  const at = sent_at ?? created_at;
  return (
    <li>
      <div className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{MESSAGE_KIND_NAMES[kind]}</span>
          <State tone={tone} icon={icon}>
            {word}
          </State>
        </span>
        <When at={at} className="shrink-0 text-xs text-muted" />
      </div>
      {problem && (
        <div className="mt-1 flex items-center justify-between gap-3">
          <span className={state === 'failed' ? 'text-negative' : 'text-muted'}>
            {MESSAGE_PROBLEM_TEXTS[problem]}
          </span>
          {isSuper && message.can_retry && <Retry message={message} />}
        </div>
      )}
      <div className="mt-1">
        <ChatText>{text}</ChatText>
      </div>
    </li>
  );
}

interface MessagesProps {
  invoiceId: string;
  isSuper: boolean;
}

function MessageList({ invoiceId, isSuper }: MessagesProps) {
  const { data, error, refetch } = useQuery(messagesQuery(invoiceId));
  return (
    <PartState
      error={error && !data ? messageOf(error) : null}
      onRetry={() => void refetch()}
      isLoading={!data}
      empty={data?.data.length === 0 ? 'Nothing was sent yet' : null}
    >
      <ul aria-label="Messages" className="space-y-4 px-4 pb-3">
        {data?.data.map((message) => (
          <Entry key={message.id} message={message} isSuper={isSuper} />
        ))}
      </ul>
    </PartState>
  );
}

const TITLE = 'Messages to the trader';
const useTotal = (invoiceId: string) => useQuery(messagesQuery(invoiceId)).data?.meta.total || undefined;

/** The messages to the trader about this invoice, in a side panel. */
export function MessagesSection(props: MessagesProps) {
  return (
    <PanelSection title={TITLE} note={useTotal(props.invoiceId)} flush>
      <MessageList {...props} />
    </PanelSection>
  );
}

/** The same on a page. */
export function MessagesPanel(props: MessagesProps) {
  return (
    <Panel title={TITLE} count={useTotal(props.invoiceId)} flush>
      <div className="pt-3">
        <MessageList {...props} />
      </div>
    </Panel>
  );
}
