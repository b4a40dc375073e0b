import ShieldX from 'lucide-react/icons/shield-x';
import type { ReactNode } from 'react';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { useSession } from './identity-context.ts';

/** Renders and loads its content for super admins only. Other people see a notice. */
export function SuperOnly({ back, children }: { back: ReactNode; children: ReactNode }) {
  const session = useSession();
  if (session.status === 'signed-in' && session.user.super) return children;
  return (
    <MessagePanel
      icon={ShieldX}
      level={1}
      alert
      title="Access Denied"
      text="Only super administrators can open this page."
    >
      {back}
    </MessagePanel>
  );
}
