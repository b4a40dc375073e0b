import { formatCount } from '@copydesk/domain';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../ui/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/plain-table/plain-table.tsx';
import type { PersonDetail } from '../people-queries.ts';

type Session = PersonDetail['sessions'][number];

const COLUMNS: readonly PlainColumn<Session>[] = [
  {
    id: 'browser',
    header: 'Browser',
    width: '42%',
    onCard: 'lead',
    cell: ({ browser, is_own }) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate" title={browser || undefined}>
          {browser || <span className="text-muted">Unknown</span>}
        </span>
        {is_own && <Badge tone="accent">This one</Badge>}
      </span>
    ),
  },
  {
    id: 'address',
    header: 'Address',
    width: '20%',
    cell: ({ address }) => <span className="font-mono text-xs">{address ?? 'unknown'}</span>,
  },
  {
    id: 'started',
    header: 'Signed In',
    width: '19%',
    align: 'end',
    cell: ({ started_at }) => <time title={fullTime(started_at)}>{readTime(started_at)}</time>,
  },
  {
    id: 'expires',
    header: 'Ends',
    width: '19%',
    align: 'end',
    cell: ({ expires_at }) => <time title={fullTime(expires_at)}>{readTime(expires_at)}</time>,
  },
];

/** The browsers in which somebody is signed in. */
export function SessionsPanel({ sessions, onEnd }: { sessions: readonly Session[]; onEnd(): void }) {
  return (
    <Panel
      title="Sessions"
      count={formatCount(sessions.length)}
      flush
      actions={
        <Button className="h-7!" disabled={sessions.length === 0} onClick={onEnd}>
          End All
        </Button>
      }
    >
      {sessions.length === 0 ? (
        <MessagePanel
          icon={MonitorSmartphone}
          level={3}
          small
          title="No sessions"
          text="Nobody is signed in with this account."
        />
      ) : (
        <PlainTable
          label="Sessions"
          columns={COLUMNS}
          rows={sessions}
          keyOf={({ started_at, address }, index) => `${started_at} ${address} ${index}`}
        />
      )}
    </Panel>
  );
}
