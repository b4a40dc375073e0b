import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import CandlestickChart from 'lucide-react/icons/chart-candlestick';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import CircleX from 'lucide-react/icons/circle-x';
import Layers from 'lucide-react/icons/layers';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import ReceiptText from 'lucide-react/icons/receipt-text';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import UserRound from 'lucide-react/icons/user-round';
import { State } from '../../ui/feedback/state.tsx';
import { harvestLabel, harvestTone } from './harvest-texts.ts';

const ICONS = {
  harvesting: ArrowLeftRight,
  stopped: CandlestickChart,
  starting_harvesting: LoaderCircle,
  stopping_harvesting: LoaderCircle,
  awaiting_bybit_withdrawal: TriangleAlert,
  processing_invoices: ReceiptText,
  failed: CircleX,
  mixed: Layers,
  mixed_transitioning: Layers,
};

interface HarvestBadgeProps {
  status: string;
  /** Nothing turns until someone who reads this acts. */
  isForPeople?: boolean;
}

/** The harvest status of a pool or of all pools. */
export function HarvestBadge({ status, isForPeople = false }: HarvestBadgeProps) {
  const isMoving = status === 'starting_harvesting' || status === 'stopping_harvesting';
  const known = ICONS[status as keyof typeof ICONS] ?? CircleHelp;
  return (
    <State
      tone={isMoving && isForPeople ? 'caution' : harvestTone(status)}
      icon={isMoving && isForPeople ? UserRound : known}
    >
      {harvestLabel(status)}
    </State>
  );
}
