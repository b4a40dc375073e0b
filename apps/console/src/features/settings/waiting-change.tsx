import { useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { When } from '../../ui/figures/when.tsx';
import { AskDialog } from '../../ui/form/ask-dialog.tsx';
import { Button } from '../../ui/form/button.tsx';
import { useAct } from '../../ui/form/use-act.ts';
import { SETTINGS, settingText } from './setting-views.ts';
import { settingsKeys, type WaitingChange } from './settings-queries.ts';

/** A change that waits for another super admin. */
export function Waiting({ change, isOwn }: { change: WaitingChange; isOwn: boolean }) {
  const [asked, setAsked] = useState<'approve' | 'decline' | null>(null);
  return (
    <div className="mt-2 rounded-md border border-caution bg-caution-soft p-2.5 text-xs">
      <p>
        <span className="font-medium">{settingText(change.name, change.value)}</span> requested by{' '}
        {change.requested_by}, <When at={change.requested_at} />
      </p>
      {change.refusal && !isOwn && <p className="mt-1 text-muted">{change.refusal}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        {change.refusal === null && (
          <Button look="primary" className="h-7!" onClick={() => setAsked('approve')}>
            Approve
          </Button>
        )}
        <Button className="h-7!" onClick={() => setAsked('decline')}>
          {isOwn ? 'Withdraw' : 'Decline'}
        </Button>
      </div>
      {asked && <DecideChange change={change} act={asked} isOwn={isOwn} onClose={() => setAsked(null)} />}
    </div>
  );
}

interface DecideChangeProps {
  change: WaitingChange;
  act: 'approve' | 'decline';
  isOwn: boolean;
  onClose(): void;
}

/** Asks before a changed setting is approved or declined. */
export function DecideChange({ change, act, isOwn, onClose }: DecideChangeProps) {
  const { id, name, previous, value } = change;
  const { label } = SETTINGS[name];
  const verb = act === 'approve' ? 'Approve' : isOwn ? 'Withdraw' : 'Decline';
  const decide = useAct({
    reads: settingsKeys.all,
    send: () =>
      act === 'approve'
        ? call('POST /api/platform-settings/changes/{id}/approve', { params: { id } })
        : call('POST /api/platform-settings/changes/{id}/decline', { params: { id } }),
    done: ({ data }) => ({
      title: act === 'approve' ? 'Change approved' : `Change ${isOwn ? 'withdrawn' : 'declined'}`,
      text: `${label}: ${settingText(name, data.value)}`,
    }),
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`${verb} change`}
      text={`${label}: ${settingText(name, previous)} → ${settingText(name, value)}.${
        act === 'approve'
          ? ` Ask ${change.requested_by} by another channel whether the request is theirs.`
          : ''
      }`}
      confirm={verb}
      busy="Saving..."
      isDanger={act === 'decline'}
      {...decide}
      onClose={onClose}
    />
  );
}
