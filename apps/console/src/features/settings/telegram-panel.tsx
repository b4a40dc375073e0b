import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { messageOf } from '../../lib/api/api-error.ts';
import { BOT_PROBLEMS } from '../../lib/format/bot-problem-texts.ts';
import { useAsOf } from '../../lib/live/freshness.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Fact, Facts } from '../../ui/figures/fact.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { type PlatformBot, platformBotQuery } from './settings-queries.ts';

/** The bot that the worker uses. */
function botName(bot: PlatformBot['in_use']): string {
  if (bot === null) return 'Known once a worker has run';
  if (bot.telegram_id === null) return 'None: messages cannot be sent';
  return bot.username === null ? `Bot ${bot.telegram_id}` : `@${bot.username}`;
}

/** Why the answers of owners are not read. */
const READING_PROBLEMS: Record<
  NonNullable<NonNullable<PlatformBot['reading']>['problem']>,
  { label: string; text: string }
> = {
  refused: { label: 'Token refused', text: 'Telegram does not accept the token any more.' },
  other_reader: {
    label: 'Read elsewhere',
    text: 'Another program reads this bot with the same token, so confirmations of payout addresses do not arrive here. Stop it, or revoke the token at BotFather and give the workers the new one.',
  },
  webhook: {
    label: 'Webhook set',
    text: 'Another program has set a webhook, which takes all messages, so confirmations of payout addresses do not arrive here. It was left as it is. Remove it, or use another bot.',
  },
  unavailable: {
    label: 'Telegram silent',
    text: 'Telegram does not answer. Nothing is lost within 24 hours.',
  },
};

/** Whether owners of payout addresses can confirm them. */
function readingWords({ reading, in_use }: PlatformBot): string {
  if (in_use?.telegram_id === null) return 'Without a bot, owners cannot confirm their addresses';
  if (!reading) return 'Known once a worker has read the bot';
  if (reading.problem) return READING_PROBLEMS[reading.problem].label;
  return 'Owners confirm their payout addresses by this bot';
}

/** The problem of the bot as a whole, or else that of its reading. */
function problemOf({ in_use, reading }: PlatformBot) {
  if (in_use?.problem) return BOT_PROBLEMS[in_use.problem];
  return in_use?.telegram_id && reading?.problem ? READING_PROBLEMS[reading.problem] : null;
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

/** The bot with which the platform writes to traders and owners of communities. For super admins. */
export function TelegramPanel() {
  const { data, error, refetch } = useQuery(platformBotQuery);
  useAsOf(data?.in_use?.checked_at, 'Telegram');
  return (
    <Panel title="Telegram">
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
          them after starting the bot. Its token is <code>TELEGRAM_BOT_TOKEN</code> of the workers.
        </p>
        {data && (
          <>
            <Problem bot={data} />
            <Facts>
              <Fact label="In use">
                <span className="break-all">{botName(data.in_use)}</span>
              </Fact>
              <Fact label="Answers">{readingWords(data)}</Fact>
            </Facts>
          </>
        )}
      </QueryState>
    </Panel>
  );
}
