import Users from 'lucide-react/icons/users';
import { Badge } from './badge.tsx';

/** One super admin ordered an act, and another has to approve it. */
export function AwaitingApproval({ title = 'Another super admin approves or declines it.' }) {
  return (
    <span className="inline-flex max-w-full overflow-hidden" title={title}>
      <Badge tone="caution" icon={Users}>
        Waits for another super admin
      </Badge>
    </span>
  );
}
