import ArrowDownRight from 'lucide-react/icons/arrow-down-right';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';

/**
 * A word with the direction that it means. Never in the colours of gain and loss: a bet on a fall can gain.
 */
export function Direction({ isUp, word }: { isUp: boolean; word: string }) {
  const Icon = isUp ? ArrowUpRight : ArrowDownRight;
  return (
    <span className="flex items-center gap-1 font-normal">
      <Icon className="size-3 text-muted" aria-hidden="true" />
      {word}
    </span>
  );
}
