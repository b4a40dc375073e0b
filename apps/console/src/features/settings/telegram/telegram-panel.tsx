import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { BOT_PROBLEMS } from '../../../lib/format/bot-problem-words.ts';
import { readTime } from '../../../lib/format/read-time.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { ReadAt } from '../../../ui/feedback/read-at.tsx';
import { Fact } from '../../../ui/figures/fact.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { BotTokenField } from '../../../ui/form/bot-token-field.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type PlatformBot, platformBotKey, platformBotQuery } from '../settings-queries.ts';
import { botName, READING_PROBLEMS, readingWords, tokenWords } from './telegram-words.ts';

/** The problem of the bot as a whole, or else that of its reading. */
function problemOf({ in_use, reading }: PlatformBot) {
  if (in_use?.problem) return BOT_PROBLEMS[in_use.problem];
  return in_use && in_use.source !== 'none' && reading?.problem ? READING_PROBLEMS[reading.problem] : null;
}

function Problem({ bot }: { bot: PlatformBot }) {
  const problem = problemOf(bot);
  if (!problem) return null;
  const { label, text } = problem;
  return (
    <div className="pb-2">
      <Notice tone="negative" icon={TriangleAlert} isBox title={label}>
        {text}
      </Notice>
    </div>
  );
}

function Facts({ bot, onReplace, onDelete }: { bot: PlatformBot; onReplace(): void; onDelete(): void }) {
  const { is_locked, is_in_effect, stored_telegram_id, changed_at, changed_by, in_use } = bot;
  const awaitsWorker = changed_at !== null && !is_in_effect;
  return (
    <dl>
      <Fact label="In use">
        <span className="flex flex-wrap items-center justify-end gap-1.5">
          {awaitsWorker && <Badge tone="caution">Waits for the worker</Badge>}
          <span className="break-all">{botName(in_use)}</span>
        </span>
      </Fact>
      <Fact label="Token">
        <span className="flex flex-wrap items-center justify-end gap-2">
          <span className="text-muted">{tokenWords(bot)}</span>
          <Button className="h-7!" disabled={is_locked} onClick={onReplace}>
            {stored_telegram_id === null ? 'Set token' : 'Replace token'}
          </Button>
          {stored_telegram_id !== null && (
            <Button className="h-7!" disabled={is_locked} onClick={onDelete}>
              Delete token
            </Button>
          )}
        </span>
      </Fact>
      <Fact label="Answers">{readingWords(bot)}</Fact>
      {changed_at && (
        <Fact label="Last change">
          {readTime(changed_at)} by {changed_by}
        </Fact>
      )}
    </dl>
  );
}

/** The bot with which the platform writes to traders and owners of communities. For super admins. */
export function TelegramPanel() {
  const { data, error, refetch } = useQuery(platformBotQuery);
  const [asked, setAsked] = useState<'replace' | 'delete' | null>(null);
  const close = () => setAsked(null);
  return (
    <Panel title="Telegram" note={data?.in_use && <ReadAt at={data.in_use.checked_at} />}>
      <QueryState
        small
        error={error && !data ? { title: 'The bot could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading bot..." />}
        isEmpty={false}
        empty={null}
      >
        <p className="pb-2 text-xs text-muted">
          Writes invoices, reminders and requests to traders and to owners of communities. A person receives
          them after starting the bot.
        </p>
        {data && (
          <>
            <Problem bot={data} />
            <Facts bot={data} onReplace={() => setAsked('replace')} onDelete={() => setAsked('delete')} />
          </>
        )}
      </QueryState>
      {asked === 'replace' && <PlatformTokenDialog onClose={close} />}
      {asked === 'delete' && <DeletePlatformTokenDialog onClose={close} />}
    </Panel>
  );
}

/** Deletes the stored token of the platform's bot. */
function DeletePlatformTokenDialog({ onClose }: { onClose(): void }) {
  const remove = useAct({
    send: () => call('DELETE /api/platform-bot'),
    done: () => ({ title: 'Token deleted', text: "The token of the server's configuration counts again." }),
    reads: platformBotKey,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Delete the stored token"
      text="The token of the server's configuration counts again. Without one, messages fail until a token is set."
      confirm="Delete token"
      busy="Deleting..."
      isDanger
      {...remove}
      onClose={onClose}
    />
  );
}

/** Gives the platform's bot another token. */
function PlatformTokenDialog({ onClose }: { onClose(): void }) {
  const [token, setToken] = useState('');
  const replace = useAct({
    send: () => call('PUT /api/platform-bot', { body: { token: token.trim() } }),
    done: () => ({ title: 'Token stored', text: 'In use once the worker has taken it over.' }),
    reads: platformBotKey,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Token of the platform's bot"
      text="Telegram is asked for the bot of this token. If it is another bot than before, people have to start it before they receive messages again."
      confirm="Store token"
      busy="Storing..."
      {...replace}
      onClose={onClose}
    >
      <BotTokenField value={token} onChange={setToken} />
    </AskDialog>
  );
}
