import { readSide } from '@copydesk/domain/trading';
import ArrowDownRight from 'lucide-react/icons/arrow-down-right';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';

/** Long or Short. Never in the colours of gain and loss: a short position can gain. */
export function SideLabel({ side }: { side: string }) {
  const isLong = readSide(side) === 'long';
  const Icon = isLong ? ArrowUpRight : ArrowDownRight;
  return (
    <span className="flex items-center gap-1 font-normal">
      <Icon className="size-3 text-muted" aria-hidden="true" />
      {isLong ? 'Long' : 'Short'}
    </span>
  );
}
