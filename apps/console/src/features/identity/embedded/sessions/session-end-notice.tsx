import { type SessionNotice, sessionNotice } from '@copydesk/domain/access';
import Clock from 'lucide-react/icons/clock';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { confirmRecentAuth } from '../recent-auth.ts';
import { lastInput, tokens } from './own-session.ts';

const LOOK_EVERY_MS = 2_000;
const WHY = 'Your session is about to end. Confirm that it is you, and it begins again.';

/** Says that the session ends soon, and renews it in place. @param onEnd the time is over */
export function SessionEndNotice({ onEnd }: { onEnd(): void }) {
  const [notice, setNotice] = useState<SessionNotice | null>(null);
  const shown = useRef<SessionNotice | null>(null);
  useEffect(() => {
    const look = () => {
      const next = sessionNotice(lastInput.ageMs(), tokens.sessionLeftMs());
      // An input in any tab renews at once: the next renewal could come too late.
      if (shown.current?.why === 'idle' && next?.why !== 'idle') tokens.get({ force: true }).catch(() => {});
      shown.current = next;
      setNotice(next);
      if (next && next.leftMs <= 0) onEnd();
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [onEnd]);
  if (!notice) return null;
  const minutes = Math.max(1, Math.ceil(notice.leftMs / 60_000));
  const inMinutes = `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return (
    <div className="fixed inset-x-0 bottom-0 z-40">
      {notice.why === 'idle' ? (
        <Notice
          tone="caution"
          icon={Clock}
          title={`You will be signed out ${inMinutes}`}
          actions={
            <Button className="h-7!" onClick={lastInput.note}>
              Stay signed in
            </Button>
          }
        >
          This page had no key, click or touch for almost two hours. Any of them keeps you signed in.
        </Notice>
      ) : (
        <Notice
          tone="caution"
          icon={Clock}
          title={`Your session ends ${inMinutes}`}
          actions={
            <Button className="h-7!" onClick={() => void confirmRecentAuth(WHY)}>
              Renew session
            </Button>
          }
        >
          Sessions have a longest life. Confirm that it is you to go on; nothing on this page is lost.
        </Notice>
      )}
    </div>
  );
}
