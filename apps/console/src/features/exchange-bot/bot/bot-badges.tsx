import { Badge } from '../../../ui/feedback/badge.tsx';
import type { Bot } from '../bot-queries.ts';
import { PROBLEM_WORDS } from '../bot-words.ts';

/** Whether a bot is switched on, and what is wrong with it. */
export function BotBadges({ bot: { is_active, problem } }: { bot: Bot }) {
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-1.5">
      {problem && <Badge tone="negative">{PROBLEM_WORDS[problem].label}</Badge>}
      <Badge tone={is_active ? 'positive' : 'neutral'}>{is_active ? 'On' : 'Off'}</Badge>
    </span>
  );
}
