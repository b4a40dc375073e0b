import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { formatWholeUsd } from '../../lib/format/numbers.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import type { Trader } from './traders-queries.ts';
import { BELOW_MINIMUM } from './traders-search.ts';

type Marked = Pick<Trader, 'below_minimum_balance'>;

/** Shows that a trader's balance is below the community's minimum; nothing when it is sufficient or unknown. */
export function BelowMinimum({
  trader,
  isShort = false,
}: {
  trader: Marked;
  /** An icon, with a text on hover and for screen readers. */
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
