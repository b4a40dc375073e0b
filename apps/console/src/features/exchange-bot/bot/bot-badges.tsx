import { BOT_PROBLEMS } from '../../../lib/bot-problem-words.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import type { Bot } from '../bot-queries.ts';

/** Whether a bot is switched on, and what is wrong with it. */
export function BotBadges({ bot: { is_active, problem } }: { bot: Bot }) {
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-1.5">
      {problem && <Badge tone="negative">{BOT_PROBLEMS[problem].label}</Badge>}
      <Badge tone={is_active ? 'positive' : 'neutral'}>{is_active ? 'On' : 'Off'}</Badge>
    </span>
  );
}
