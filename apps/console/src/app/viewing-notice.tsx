import Eye from 'lucide-react/icons/eye';
import { useState } from 'react';
import type { SignedInUser } from '../features/identity/identity.ts';
import { call } from '../lib/api/api.ts';
import { messageOf } from '../lib/api/api-error.ts';
import { viewAs } from '../lib/view-as.ts';
import { Notice } from '../ui/feedback/notice.tsx';
import { toast } from '../ui/feedback/toast-store.ts';
import { Button } from '../ui/form/button.tsx';

/** Says with whose eyes a super admin is reading, and goes back. */
export default function ViewingNotice({ user }: { user: SignedInUser }) {
  const [isBusy, setBusy] = useState(false);
  const stop = async () => {
    setBusy(true);
    try {
      await call('DELETE /api/view-as');
      viewAs(null, `/people/${user.id}`);
    } catch (error) {
      toast({ tone: 'negative', title: 'The view was not ended', text: messageOf(error) });
      setBusy(false);
    }
  };
  return (
    <Notice
      tone="caution"
      icon={Eye}
      title={`Viewing as ${user.name}`}
      actions={
        <Button className="h-7!" aria-disabled={isBusy} onClick={() => !isBusy && void stop()}>
          Stop viewing
        </Button>
      }
    >
      You see what {user.email} sees. Nothing can be changed.
    </Notice>
  );
}
