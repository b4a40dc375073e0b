import { shortId } from '@copydesk/domain';
import { useQuery } from '@tanstack/react-query';
import Ban from 'lucide-react/icons/ban';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Send from 'lucide-react/icons/send';
import { MenuItem, MenuNote } from '../../../ui/menu.tsx';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { resendLabel } from '../panel/problem-words.ts';
import { type SweepDetail, type SweepOperation, sweepQuery } from '../sweeps-queries.ts';
import { offeredActs, type PayoutAct } from './offered-acts.ts';

/** What a person chose to do about a payout of the list. */
export interface ChosenAct {
  sweep: SweepDetail;
  act: PayoutAct;
}

interface PayoutMenuProps {
  sweep: SweepOperation;
  tabIndex: number;
  onAct(chosen: ChosenAct): void;
}

const ICONS = { retry: RotateCcw, resend: Send, cancel: Ban } as const;

/** What can be done about a payout of the list. A final one needs nothing, and was paid for good. */
export function PayoutMenu({ sweep, tabIndex, onAct }: PayoutMenuProps) {
  if (sweep.status === 'distributed') return null;
  return (
    <RowMenu of={`payout ${shortId(sweep.id)}`} tabIndex={tabIndex}>
      <Offered id={sweep.id} onAct={onAct} />
    </RowMenu>
  );
}

/** Read when the menu opens: a list does not know of every payout what may be done about it. */
function Offered({ id, onAct }: { id: string } & Pick<PayoutMenuProps, 'onAct'>) {
  const { data: sweep, error } = useQuery(sweepQuery(id));
  if (!sweep)
    return <MenuNote>{error ? 'It could not be loaded. Open it to see more.' : 'Loading...'}</MenuNote>;
  const labels: Record<PayoutAct, string> = { retry: 'Retry', resend: resendLabel(sweep), cancel: 'Cancel' };
  const offered = offeredActs(sweep);
  if (offered.length === 0) return <MenuNote>Nothing can be done about it now. Open it to see why.</MenuNote>;
  return offered.map((act) => (
    <MenuItem key={act} icon={ICONS[act]} text={labels[act]} onSelect={() => onAct({ sweep, act })} />
  ));
}
