import type { TraderStatus } from '@copydesk/domain/traders';
import CircleCheck from 'lucide-react/icons/circle-check';
import Clock from 'lucide-react/icons/clock';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Badge } from '../../ui/feedback/badge.tsx';
import { STATUS_LABELS } from './status-labels.ts';

const LOOKS = {
  pending: { tone: 'caution', icon: Clock },
  connected: { tone: 'positive', icon: CircleCheck },
  delinquent: { tone: 'negative', icon: TriangleAlert },
} as const;

export function StatusBadge({ status }: { status: TraderStatus }) {
  const { tone, icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {STATUS_LABELS[status]}
    </Badge>
  );
}
