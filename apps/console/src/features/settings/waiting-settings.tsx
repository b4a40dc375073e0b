import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { When } from '../../ui/figures/when.tsx';
import { WaitingList } from '../../ui/form/waiting-list.tsx';
import { SETTINGS, settingText } from './setting-views.ts';
import { settingsQuery, type WaitingChange } from './settings-queries.ts';
import { DecideChange } from './waiting-change.tsx';

/** Changed settings of the platform that wait for another super admin. */
export function WaitingSettings({ readerId }: { readerId: string }) {
  const { data, error, refetch } = useQuery(settingsQuery);
  const [asked, setAsked] = useState<{ change: WaitingChange; act: 'approve' | 'decline' } | null>(null);
  const isOwn = (change: WaitingChange) => change.requested_by_id === readerId;
  return (
    <>
      <WaitingList
        isBox
        title="Settings"
        failure={error && !data ? { message: messageOf(error), onRetry: () => void refetch() } : undefined}
        items={(data ?? []).flatMap(({ name, waiting }) =>
          // A server that is newer may know another one.
          waiting && name in SETTINGS
            ? {
                id: waiting.id,
                text: (
                  <>
                    <strong className="font-semibold">{SETTINGS[name].label}</strong>:{' '}
                    {settingText(name, waiting.previous)} → {settingText(name, waiting.value)}, requested by{' '}
                    {waiting.requested_by}, <When at={waiting.requested_at} />
                  </>
                ),
                refusal: isOwn(waiting) ? 'Another super admin must approve your request' : waiting.refusal,
                decline: isOwn(waiting) ? ('Withdraw' as const) : ('Decline' as const),
                onApprove: () => setAsked({ change: waiting, act: 'approve' }),
                onDecline: () => setAsked({ change: waiting, act: 'decline' }),
              }
            : [],
        )}
      />
      {asked && <DecideChange {...asked} isOwn={isOwn(asked.change)} onClose={() => setAsked(null)} />}
    </>
  );
}
