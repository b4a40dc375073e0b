import OctagonX from 'lucide-react/icons/octagon-x';
import { useState } from 'react';
import { momentWords } from '../../../lib/format/read-time.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { DecideLiftDialog, LiftDialog } from './stop-dialogs.tsx';
import type { Lift, Stop } from './stop-query.ts';

/** Why payments are stopped, and what a super admin can do about it. */
export default function StopDetails({ stop, userId }: { stop: Stop; userId: string }) {
  const [asked, setAsked] = useState<'lift' | 'confirm' | 'withdraw' | null>(null);
  const { lift, reason, stopped_by, stopped_at, id } = stop;
  const isOwn = lift?.requested_by_id === userId;
  return (
    <>
      <Notice
        tone="negative"
        icon={OctagonX}
        title={`Payments are stopped: ${reason}`}
        actions={
          <div className="flex flex-wrap gap-2">
            {!lift && (
              <Button className="h-7!" onClick={() => setAsked('lift')}>
                Lift the stop
              </Button>
            )}
            {lift?.state === 'waiting' && lift.refusal === null && (
              <Button look="primary" className="h-7!" onClick={() => setAsked('confirm')}>
                Confirm
              </Button>
            )}
            {lift && (
              <Button className="h-7!" onClick={() => setAsked('withdraw')}>
                {isOwn ? 'Withdraw' : 'Decline'}
              </Button>
            )}
          </div>
        }
      >
        <p>{`Stopped by ${stopped_by}, ${momentWords(stopped_at)}. Only cancellations are sent.`}</p>
        {lift && <Waiting lift={lift} isOwn={isOwn} />}
      </Notice>
      {asked === 'lift' && <LiftDialog stopId={id} onClose={() => setAsked(null)} />}
      {lift && (asked === 'confirm' || asked === 'withdraw') && (
        <DecideLiftDialog lift={lift} act={asked} isOwn={isOwn} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

function Waiting({ lift, isOwn }: { lift: Lift; isOwn: boolean }) {
  const { reason, requested_by, requested_at, decided_by, state, refusal } = lift;
  return (
    <>
      <p>
        {`${isOwn ? 'You' : requested_by} asked to lift it, ${momentWords(requested_at)}: “${reason}”.`}{' '}
        {state === 'confirmed'
          ? `${decided_by} confirmed it. Waits for a worker, which lifts it within seconds.`
          : isOwn
            ? 'Waits for another super admin.'
            : refusal === null && 'Waits for you.'}
      </p>
      {state === 'waiting' && !isOwn && refusal && <p className="text-muted">{refusal}</p>}
    </>
  );
}
