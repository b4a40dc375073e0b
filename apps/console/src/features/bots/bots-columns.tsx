import { BOT_PROBLEMS } from '../../lib/format/bot-problem-texts.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { Count, Name } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { When } from '../../ui/figures/when.tsx';
import { BELOW, LINES } from '../../ui/table/cell-lines.ts';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { BotBadges } from './bot/bot-badges.tsx';
import { READING_PROBLEMS } from './bot/reading-texts.ts';
import type { ListedBot } from './bot-queries.ts';

const pageOf = ({ community_id: communityId }: ListedBot) =>
  ({ to: '/community-settings/$communityId/bot', params: { communityId } }) as const;

/** The sentence on what keeps a bot from its work, and since when. */
function Problem({ bot }: { bot: ListedBot }) {
  const { is_active: isOn, problem, reading_problem: reading, reading_problem_at: since } = bot;
  if (isOn && reading)
    return (
      <span className="block text-pretty whitespace-normal md:py-1.5">
        {READING_PROBLEMS[reading].text}{' '}
        {since && (
          <span className={BELOW}>
            Since <When at={since} as="ago" />
          </span>
        )}
      </span>
    );
  return problem ? (
    <span className="block text-pretty whitespace-normal">{BOT_PROBLEMS[problem].text}</span>
  ) : (
    <span className="text-muted">None</span>
  );
}

/** The columns of all bots. */
export const botsColumns: readonly PlainColumn<ListedBot, string>[] = [
  {
    id: 'name',
    header: 'Community',
    width: '16%',
    sortable: true,
    isPinned: true,
    onCard: 'lead',
    cell: (bot) => (
      <span className="block min-w-0 md:py-1">
        <bdi className="block truncate" title={bot.community}>
          <Name to={pageOf(bot)}>{bot.community}</Name>
          {bot.is_archived && <span className="ms-1.5 text-xs text-muted">Archived</span>}
        </bdi>
        <bdi className={`${BELOW} truncate`} title={bot.name}>
          @{bot.username}
        </bdi>
      </span>
    ),
  },
  { id: 'state', header: 'State', width: '12%', onCard: 'end', cell: (bot) => <BotBadges bot={bot} /> },
  { id: 'problem', header: 'Problem', width: '28%', onCard: 'line', cell: (bot) => <Problem bot={bot} /> },
  {
    id: 'sold',
    header: 'Sold in 30 days',
    width: '13%',
    align: 'end',
    sortable: true,
    cell: ({ sold, sold_amount: amount }) => (
      <span className={LINES}>
        <Money amount={amount} />{' '}
        <span className={BELOW}>{sold === 1 ? '1 order' : `${formatCount(sold)} orders`}</span>
      </span>
    ),
  },
  {
    id: 'open',
    header: 'Open orders',
    width: '9%',
    align: 'end',
    cell: (bot) => <Count n={bot.open_orders} to={{ ...pageOf(bot), search: { state: 'pending' } }} />,
  },
  {
    id: 'subscribers',
    header: 'Subscribers',
    width: '9%',
    align: 'end',
    cell: (bot) => <Count n={bot.subscribers} to={pageOf(bot)} />,
  },
  {
    id: 'failed',
    header: 'Failed messages',
    width: '13%',
    align: 'end',
    sortable: true,
    cell: (bot) =>
      bot.failed_messages === 0 ? (
        <span className="text-muted">0</span>
      ) : (
        <Count
          n={bot.failed_messages}
          to={{ to: '/messages/bots', search: { state: 'failed', community: bot.community_id } }}
        />
      ),
  },
];
