import Users from 'lucide-react/icons/users';
import { Badge } from './badge.tsx';

/** One super admin ordered an act, and another has to approve it. */
export function AwaitingApproval({ title = 'Waits for another super admin, who approves or declines it.' }) {
  return (
    <span className="inline-flex max-w-full overflow-hidden" title={title}>
      <Badge tone="caution" icon={Users}>
        Waits for approval
      </Badge>
    </span>
  );
}
