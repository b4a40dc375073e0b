import type { TraderStatus } from '@copydesk/domain';
import CircleCheck from 'lucide-react/icons/circle-check';
import Clock from 'lucide-react/icons/clock';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Badge } from '../../ui/badge.tsx';

const LOOKS = {
  pending: { tone: 'caution', icon: Clock, label: 'Pending' },
  connected: { tone: 'positive', icon: CircleCheck, label: 'Connected' },
  delinquent: { tone: 'negative', icon: TriangleAlert, label: 'Delinquent' },
} as const;

export function StatusBadge({ status }: { status: TraderStatus }) {
  const { tone, icon, label } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
