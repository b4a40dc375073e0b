import { isTradedOn } from '@copydesk/domain/pools';
import type { HarvestCycle } from './pools-queries.ts';
import { TRADED_ON } from './turn-texts.ts';

/** Nothing while trading is really paused. */
export function TradedOnNotice({ cycle }: { cycle: HarvestCycle }) {
  if (!isTradedOn(cycle)) return null;
  return (
    <p role="alert" className="text-pretty whitespace-normal text-negative">
      {TRADED_ON[cycle.status === 'stopped' ? 'stopped' : cycle.status === 'harvesting' ? 'open' : 'waiting']}
    </p>
  );
}
