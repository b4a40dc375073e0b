import { useNavigate } from '@tanstack/react-router';
import SearchX from 'lucide-react/icons/search-x';
import { useSession } from '../features/identity/identity-context.ts';
import { MessagePanel } from '../ui/feedback/message-panel.tsx';
import { Button } from '../ui/form/button.tsx';

/**
 * The empty list of traders.
 * @param isNew whether there are none at all: a super admin has an installation to set up
 */
export function NoTraders({ isNew }: { isNew: boolean }) {
  const session = useSession();
  const navigate = useNavigate();
  const setsUp = isNew && session.status === 'signed-in' && session.user.super;
  return (
    <MessagePanel icon={SearchX} title="No traders found" text="Try adjusting your filters">
      {setsUp && <Button onClick={() => void navigate({ to: '/settings' })}>Continue the set-up</Button>}
    </MessagePanel>
  );
}
