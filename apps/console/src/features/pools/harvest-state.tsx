import { Badge } from '../../ui/feedback/badge.tsx';
import { HarvestBadge } from './harvest-badge.tsx';
import { cycleWords, needsAction } from './harvest-words.ts';
import type { HarvestCycle } from './pools-queries.ts';

/** The status of a pool's cycle, and beneath it what happens, or who has to act. */
export function HarvestState({ cycle }: { cycle: Pick<HarvestCycle, 'status' | 'step' | 'reason'> }) {
  return (
    <span className="flex min-w-0 flex-col items-start md:py-1.5 gap-0.5 max-md:items-end">
      <span className="flex flex-wrap items-center gap-1.5 max-md:justify-end">
        <HarvestBadge status={cycle.status} />
        {needsAction(cycle.status) && <Badge tone="caution">Action required</Badge>}
      </span>
      <span className="text-xs leading-5 text-pretty whitespace-normal text-muted max-md:text-right">
        {cycleWords(cycle)}
      </span>
    </span>
  );
}
