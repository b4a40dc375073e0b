import { plainMessage } from '@copydesk/domain/messages';
import { useQuery } from '@tanstack/react-query';
import MailCheck from 'lucide-react/icons/mail-check';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { BOT_MESSAGE_PROBLEMS, type BotMessage, personName } from '../../../lib/format/message-texts.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { BOT_PAGE_ROWS, botKeys, failedMessagesQuery } from '../bot-queries.ts';

export const FAILED_MESSAGES_ID = 'failed-messages';

/** Messages of the bot that did not arrive, with the reason. */
export function FailedMessagesPanel({ botId }: { botId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(failedMessagesQuery(botId, page));
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: BOT_PAGE_ROWS, total: data?.meta.total }, setPage);
  const place = useRef<HTMLDivElement>(null);
  // The panel comes after the page of a link to it, too late for the browser's own scrolling.
  useEffect(() => {
    if (window.location.hash === `#${FAILED_MESSAGES_ID}`) place.current?.scrollIntoView();
  }, []);
  return (
    <div ref={place} id={FAILED_MESSAGES_ID} className="scroll-mt-16">
      <Panel
        title="Failed Messages"
        flush
        count={data && total}
        actions={total > 1 && <RetryAll botId={botId} />}
      >
        <QueryState
          small
          error={
            error && !data ? { title: 'The messages could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={data === undefined}
          loading={<Loading text="Loading messages..." />}
          isEmpty={data?.data.length === 0}
          empty={
            <MessagePanel
              icon={MailCheck}
              level={3}
              small
              title="No failed messages"
              text="A message appears here when Telegram refuses it, or does not answer for a day."
            />
          }
        >
          <ul aria-label="Failed messages, the latest first">
            {data?.data.map((message) => (
              <FailedMessage key={message.id} botId={botId} message={message} />
            ))}
          </ul>
          {total > BOT_PAGE_ROWS && (
            <Pager
              label="Pages of messages"
              page={page}
              pageRows={BOT_PAGE_ROWS}
              total={total}
              onChange={setPage}
            />
          )}
        </QueryState>
      </Panel>
    </div>
  );
}

/** Failed messages again, without asking: none of them has arrived, and a person who blocked the bot gets none. */
function RetryAll({ botId }: { botId: string }) {
  const retry = useAct({
    send: (keyOf) =>
      call('POST /api/exchange-bot/{id}/messages/retry', {
        params: { id: botId },
        idempotencyKey: keyOf({ botId }),
      }),
    done: ({ data: { queued, remaining } }) => ({
      title: queued === 1 ? 'One message queued' : `${formatCount(queued)} messages queued`,
      text: remaining === 0 ? 'The bot sends them again.' : `${formatCount(remaining)} are left: try again.`,
    }),
    reads: botKeys.all,
    onDone: () => {},
  });
  return (
    <>
      {retry.error && (
        <span role="alert" className="text-xs text-negative">
          {retry.error}
        </span>
      )}
      <Button
        className="h-7!"
        aria-disabled={retry.isBusy}
        onClick={retry.isBusy ? undefined : retry.onConfirm}
      >
        Try all again
      </Button>
    </>
  );
}

function FailedMessage({ botId, message }: { botId: string; message: BotMessage }) {
  const person = personName(message);
  const retry = useAct({
    send: (keyOf) =>
      call('POST /api/exchange-bot/{id}/messages/{messageId}/retry', {
        params: { id: botId, messageId: message.id },
        idempotencyKey: keyOf({ id: message.id }),
      }),
    done: () => ({ title: 'Message queued', text: `The bot writes to ${person} again.` }),
    reads: botKeys.all,
    onDone: () => {},
  });
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{person}</p>
          <p className="text-xs text-negative">
            {message.problem && BOT_MESSAGE_PROBLEMS[message.problem]}, <When at={message.created_at} />
          </p>
          <p dir="auto" className="mt-0.5 line-clamp-2 text-xs break-words text-muted">
            {plainMessage(message.text)}
          </p>
        </div>
        <Button
          className="h-7! shrink-0"
          aria-label={`Try Again: message to ${person}`}
          aria-disabled={retry.isBusy}
          onClick={retry.isBusy ? undefined : retry.onConfirm}
        >
          Try Again
        </Button>
      </div>
      {retry.error && <ErrorLine message={retry.error} onRetry={retry.onConfirm} />}
    </li>
  );
}
