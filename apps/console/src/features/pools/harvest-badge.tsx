import type { LucideIcon } from 'lucide-react';
import CircleX from 'lucide-react/icons/circle-x';
import ReceiptText from 'lucide-react/icons/receipt-text';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import UserRound from 'lucide-react/icons/user-round';
import { State } from '../../ui/feedback/state.tsx';
import { harvestLabel, harvestTone } from './harvest-texts.ts';

/** Of the states that stand out. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  awaiting_bybit_withdrawal: TriangleAlert,
  processing_invoices: ReceiptText,
  failed: CircleX,
};

interface HarvestBadgeProps {
  status: string;
  /** Nothing happens until a reader of this screen acts. */
  isForPeople?: boolean;
}

/** The harvest status of a pool or of all pools. */
export function HarvestBadge({ status, isForPeople = false }: HarvestBadgeProps) {
  const isMoving = status === 'starting_harvesting' || status === 'stopping_harvesting';
  return (
    <State
      tone={isMoving && isForPeople ? 'caution' : harvestTone(status)}
      icon={isMoving && isForPeople ? UserRound : ICONS[status]}
    >
      {harvestLabel(status)}
    </State>
  );
}
