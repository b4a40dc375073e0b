import { decimalToUnits } from '@copydesk/domain/money';
import { searchedText } from '@copydesk/domain/text';
import { defineList } from '../../lib/list/define-list.ts';
import { among, search } from '../../lib/list/filters.ts';
import type { ListedBot } from './bot-queries.ts';

/** One of these: a bot that is on and does not work fails. */
export const BOT_STATES = ['failing', 'on', 'off'] as const;
export type BotState = (typeof BOT_STATES)[number];

function botState({ is_active, problem, reading_problem }: ListedBot): BotState {
  if (!is_active) return 'off';
  return problem !== null || reading_problem !== null ? 'failing' : 'on';
}

/** The default comes first: bots that need a person, then by sales. */
const SORT_COLUMNS = ['urgency', 'sold', 'failed', 'name'] as const;

export const botsList = defineList({
  filters: { search: search('search') },
  // The tab, with a count for each.
  rest: { state: among(BOT_STATES) },
  kept: ['state'],
  columns: SORT_COLUMNS,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type BotsSearch = ReturnType<typeof botsList.read>;
export type BotsFilters = ReturnType<typeof botsList.complete> & Pick<BotsSearch, 'state'>;

const RANKS: Record<BotState, number> = { failing: 2, on: 1, off: 0 };
const rankOf = (bot: ListedBot) =>
  RANKS[botState(bot)] + (bot.is_active && bot.failed_messages > 0 ? 0.5 : 0);

const unitsOf = ({ sold_amount: amount }: ListedBot) => decimalToUnits(amount) ?? 0n;
const bySold = (a: ListedBot, b: ListedBot) =>
  Number(unitsOf(a) > unitsOf(b)) - Number(unitsOf(a) < unitsOf(b));
const byName = (a: ListedBot, b: ListedBot) => a.community.localeCompare(b.community, 'en');
const ORDERS: Record<BotsFilters['sort']['column'], (a: ListedBot, b: ListedBot) => number> = {
  urgency: (a, b) => rankOf(a) - rankOf(b) || bySold(a, b),
  sold: bySold,
  failed: (a, b) => a.failed_messages - b.failed_messages,
  name: byName,
};

/** The bots that match, but for the tab, and how many each tab has. All of them are in the browser. */
export function narrowBots(
  all: readonly ListedBot[],
  { search: text, state, sort: { column, direction } }: BotsFilters,
): { rows: ListedBot[]; counts: Record<BotState | 'all', number> } {
  const wanted = searchedText(text ?? '')
    .toLowerCase()
    .replace(/^@/, '');
  const found = all.filter((bot) =>
    [bot.community, bot.name, bot.username].some((name) => name.toLowerCase().includes(wanted)),
  );
  const counts = { all: found.length, failing: 0, on: 0, off: 0 };
  for (const bot of found) counts[botState(bot)] += 1;
  const sign = direction === 'asc' ? 1 : -1;
  const rows = found
    .filter((bot) => state === undefined || botState(bot) === state)
    .toSorted((a, b) => sign * ORDERS[column](a, b) || byName(a, b));
  return { rows, counts };
}
