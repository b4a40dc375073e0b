import { Count } from '../../../ui/figures/linked.tsx';

/** Beside a sum of profits: the number of positions left out because their profit in USD is unknown. */
export function NotCounted({ positions }: { positions: number }) {
  if (positions === 0) return null;
  return (
    <span
      className="ms-1.5 text-xs font-normal text-caution"
      title="The exchange does not report their profit in USD"
    >
      <Count n={positions} of={['position', 'positions']} plain="No list has them apart" /> not counted
    </span>
  );
}
