import { formatWholeUsd } from '@copydesk/domain';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Badge } from '../../ui/feedback/badge.tsx';
import type { Trader } from './traders-queries.ts';

export const BELOW_MINIMUM = 'Below minimum balance';

type Marked = Pick<Trader, 'below_minimum_balance'>;

/** Says that a trader has less than its community needs; nothing where it has enough, or where that is not known. */
export function BelowMinimum({
  trader,
  isShort = false,
}: {
  trader: Marked;
  /** An icon, and words for those who point at it or do not see it. */
  isShort?: boolean;
}) {
  const { below_minimum_balance: minimum } = trader;
  if (minimum === null || minimum === undefined) return null;
  const title = `${BELOW_MINIMUM}: its community needs ${formatWholeUsd(minimum)}`;
  return (
    <span title={title} className="shrink-0">
      {isShort ? (
        <>
          <TriangleAlert className="size-3.5 text-caution" aria-hidden="true" />
          <span className="sr-only">{BELOW_MINIMUM}</span>
        </>
      ) : (
        <Badge tone="caution" icon={TriangleAlert}>
          {BELOW_MINIMUM}
        </Badge>
      )}
    </span>
  );
}
