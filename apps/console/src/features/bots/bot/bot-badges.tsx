import { BOT_PROBLEMS } from '../../../lib/format/bot-problem-texts.ts';
import { State } from '../../../ui/feedback/state.tsx';
import type { Bot } from '../bot-queries.ts';
import { READING_PROBLEMS } from './reading-texts.ts';

/** Whether a bot is switched on, and what is wrong with it. */
export function BotBadges({ bot: { is_active, problem, reading_problem } }: { bot: Bot }) {
  const label =
    is_active && reading_problem
      ? READING_PROBLEMS[reading_problem].label
      : problem && BOT_PROBLEMS[problem].label;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-1.5">
      {label && <State tone="negative">{label}</State>}
      <State tone={is_active ? 'positive' : 'neutral'}>{is_active ? 'On' : 'Off'}</State>
    </span>
  );
}
