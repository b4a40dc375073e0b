import { Link } from '@tanstack/react-router';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import type { Message } from '../../lib/format/message-texts.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Button } from '../../ui/form/button.tsx';
import { useAct } from '../../ui/form/use-act.ts';
import { MESSAGES_KEY } from './messages-queries.ts';

const LINK =
  'inline-flex h-7 items-center rounded-md border border-line-strong bg-surface px-2.5 font-medium whitespace-nowrap hover:bg-hover';

function TryAgain({ id, name }: { id: string; name: string }) {
  const retry = useAct({
    send: (keyOf) => call('POST /api/messages/{id}/retry', { params: { id }, idempotencyKey: keyOf({ id }) }),
    done: () => ({ title: 'Message queued again' }),
    onDone: () => {},
    onError: (error) =>
      toast({ tone: 'negative', title: 'The message could not be sent again', text: messageOf(error) }),
    reads: MESSAGES_KEY,
  });
  return (
    <Button
      className="h-7!"
      aria-label={`Try again: message to ${name}`}
      aria-disabled={retry.isBusy}
      onClick={retry.onConfirm}
    >
      {retry.isBusy ? 'Sending...' : 'Try again'}
    </Button>
  );
}

/** A message that failed is sent again, unless a Telegram ID is missing. */
export const hasAct = ({ state, problem, can_retry: canRetry }: Message, mayRetry: boolean): boolean =>
  state === 'failed' && (canRetry ? mayRetry : problem === 'no_chat');

/** What can help a message that failed, of those with an act. */
export function MessageAct({ message, name }: { message: Message; name: string }) {
  const { id, can_retry: canRetry, trader_id: traderId, community_id: communityId } = message;
  if (canRetry) return <TryAgain id={id} name={name} />;
  const label = `Add Telegram ID of ${name}`;
  if (traderId)
    return (
      <Link to="/trader/$traderId" params={{ traderId }} aria-label={label} className={LINK}>
        Add Telegram ID
      </Link>
    );
  return communityId ? (
    <Link to="/community-settings/$communityId" params={{ communityId }} aria-label={label} className={LINK}>
      Add Telegram ID
    </Link>
  ) : null;
}
