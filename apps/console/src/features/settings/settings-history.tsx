import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { ChangeLog } from '../../ui/feedback/change-log.tsx';
import { SETTINGS, settingText } from './setting-views.ts';
import { type SettingChange, settingChangesQuery } from './settings-queries.ts';

const STEP = 10;

function Outcome({ change }: { change: SettingChange }) {
  if (change.state === 'waiting') return <Badge tone="caution">Waits for approval</Badge>;
  if (change.state === 'declined')
    return (
      <Badge tone="neutral">
        {change.decided_by === change.requested_by ? 'Withdrawn' : `Declined by ${change.decided_by}`}
      </Badge>
    );
  return change.decided_by && <span className="text-muted">Approved by {change.decided_by}</span>;
}

/** Every change of a setting, with who asked and who approved. */
export function SettingsHistory() {
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch, isPlaceholderData } = useQuery(settingChangesQuery(limit));
  const page = data && {
    data: data.data.map((change) => ({
      ...change,
      at: change.requested_at,
      actor_name: change.requested_by,
      actor_kind: 'user',
    })),
    meta: data.meta,
  };
  return (
    <ChangeLog
      title="History"
      label="Changes of settings, newest first"
      icon={History}
      page={page}
      error={error && !data ? { title: 'The history could not be loaded', message: messageOf(error) } : null}
      loading="Loading history..."
      empty="Changes to the values above appear here. Those of addresses and of the bot are under Audit."
      isMoreLoading={isPlaceholderData}
      onMore={() => setLimit(limit + STEP)}
      onRetry={() => void refetch()}
    >
      {(change) => (
        <p className="break-words">
          <span className="font-medium">{SETTINGS[change.name].label}</span>{' '}
          <span className="text-muted tabular-nums">
            {settingText(change.name, change.previous)} →{' '}
            <span className="text-ink">{settingText(change.name, change.value)}</span>
          </span>{' '}
          <Outcome change={change} />
        </p>
      )}
    </ChangeLog>
  );
}
