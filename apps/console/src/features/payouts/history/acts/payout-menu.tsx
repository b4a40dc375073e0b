import { shortId } from '@copydesk/domain/money';
import { useQuery } from '@tanstack/react-query';
import Ban from 'lucide-react/icons/ban';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Send from 'lucide-react/icons/send';
import { MenuItem, MenuNote } from '../../../../ui/form/menu.tsx';
import { RowMenu } from '../../../../ui/table/row-menu.tsx';
import { type Payout, type PayoutDetail, payoutQuery } from '../history-queries.ts';
import { resendLabel } from '../panel/problem-texts.ts';
import { offeredActs, type PayoutAct } from './offered-acts.ts';

/** The chosen action on a payout of the list. */
export interface ChosenAct {
  payout: PayoutDetail;
  act: PayoutAct;
}

interface PayoutMenuProps {
  payout: Payout;
  tabIndex: number;
  onAct(chosen: ChosenAct): void;
}

const ICONS = { retry: RotateCcw, resend: Send, cancel: Ban } as const;

/** The actions on a payout of the list. A final payout needs none: its payment cannot be undone. */
export function PayoutMenu({ payout, tabIndex, onAct }: PayoutMenuProps) {
  if (payout.status === 'distributed') return null;
  return (
    <RowMenu of={`payout ${shortId(payout.id)}`} tabIndex={tabIndex}>
      <Offered id={payout.id} onAct={onAct} />
    </RowMenu>
  );
}

/** Loaded when the menu opens: the list does not carry each payout's available actions. */
function Offered({ id, onAct }: { id: string } & Pick<PayoutMenuProps, 'onAct'>) {
  const { data: payout, error } = useQuery(payoutQuery(id));
  if (!payout)
    return <MenuNote>{error ? 'It could not be loaded. Open it to see more.' : 'Loading...'}</MenuNote>;
  const labels: Record<PayoutAct, string> = { retry: 'Retry', resend: resendLabel(payout), cancel: 'Cancel' };
  const offered = offeredActs(payout);
  if (offered.length === 0) return <MenuNote>Nothing can be done about it now. Open it to see why.</MenuNote>;
  return offered.map((act) => (
    <MenuItem key={act} icon={ICONS[act]} text={labels[act]} onSelect={() => onAct({ payout, act })} />
  ));
}
