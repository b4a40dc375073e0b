import { readTime } from '../../lib/format/read-time.ts';
import { When } from '../figures/when.tsx';
import { Button } from '../form/button.tsx';
import type { PlainColumn } from '../table/plain-table/plain-column.ts';
import { PlainTable } from '../table/plain-table/plain-table.tsx';
import { Badge } from './badge.tsx';

interface Session {
  id: string;
  started_at: string;
  /** Null: the identity service decides. */
  expires_at: string | null;
  address: string | null;
  browser: string | null;
  is_own: boolean;
}

const COLUMNS: readonly PlainColumn<Session>[] = [
  {
    id: 'browser',
    header: 'Browser',
    width: '32%',
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
    width: '18%',
    cell: ({ address }) => (
      <span className="font-mono text-sm">{address || <span className="text-muted">Unknown</span>}</span>
    ),
  },
  {
    id: 'started',
    header: 'Signed In',
    width: '20%',
    align: 'end',
    cell: ({ started_at }) => <When at={started_at} />,
  },
  {
    id: 'expires',
    header: 'Ends',
    width: '20%',
    align: 'end',
    cell: ({ expires_at }) =>
      expires_at === null ? <span className="text-muted">Unknown</span> : <When at={expires_at} />,
  },
];

interface SessionTableProps {
  sessions: readonly Session[];
  /** Ends one that is not the reader's; without it none is ended here. */
  onEnd?: (session: Session) => void;
}

/** The browsers in which a person is signed in. */
export function SessionTable({ sessions, onEnd }: SessionTableProps) {
  const ending: PlainColumn<Session> = {
    id: 'end',
    header: 'Actions',
    width: '10%',
    align: 'end',
    onCard: 'end',
    cell: (session) =>
      session.is_own ? null : (
        <Button
          className="h-7!"
          aria-label={`End the session of ${readTime(session.started_at)}`}
          onClick={() => onEnd?.(session)}
        >
          End
        </Button>
      ),
  };
  return (
    <PlainTable
      label="Sessions"
      columns={onEnd ? [...COLUMNS, ending] : COLUMNS}
      rows={sessions}
      keyOf={({ id }) => id}
    />
  );
}
