import type { TraderStatus } from '@copydesk/domain/traders';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { State } from '../../ui/feedback/state.tsx';
import { STATUS_LABELS } from './status-labels.ts';

const LOOKS = {
  pending: { tone: 'neutral', icon: undefined },
  connected: { tone: 'positive', icon: undefined },
  delinquent: { tone: 'negative', icon: TriangleAlert },
} as const;

export function StatusBadge({ status }: { status: TraderStatus }) {
  const { tone, icon } = LOOKS[status];
  return (
    <State tone={tone} icon={icon}>
      {STATUS_LABELS[status]}
    </State>
  );
}
