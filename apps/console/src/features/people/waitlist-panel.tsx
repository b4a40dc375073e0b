import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { ErrorLine } from '../../ui/feedback/error-line.tsx';
import { Count } from '../../ui/figures/linked.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { ApproveDialog } from './acts/approve-dialog.tsx';
import { DeclineDialog } from './acts/decline-dialog.tsx';
import { type Waiting, waitlistQuery } from './people-queries.ts';
import type { NamedProvider } from './person-texts.ts';

type Asked = { what: 'approve' | 'decline'; entry: Waiting };

const columnsOf = (ask: (asked: Asked) => void): readonly PlainColumn<Waiting>[] => [
  {
    id: 'person',
    header: 'Person',
    width: '32%',
    onCard: 'lead',
    cell: ({ name, email }) => (
      <span className="flex min-w-0 flex-col md:py-1.5">
        <span className="truncate font-medium">{name}</span>
        <span className="truncate text-xs font-normal text-muted">{email}</span>
      </span>
    ),
  },
  {
    id: 'note',
    header: 'Reason',
    width: '34%',
    onCard: 'line',
    cell: ({ note, has_account }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 whitespace-normal max-md:justify-end max-md:text-end md:py-1.5">
        {has_account && <Badge tone="caution">Has an account</Badge>}
        <span className="min-w-0 break-words">
          {note ?? <span className="text-muted">No reason given</span>}
        </span>
      </span>
    ),
  },
  {
    id: 'since',
    header: 'Asked',
    width: '14%',
    align: 'end',
    cell: ({ joined_at }) => <When at={joined_at} as="ago" />,
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '20%',
    align: 'end',
    onCard: 'line',
    cell: (entry) => (
      <span className="inline-flex gap-1.5">
        <Button
          className="h-7!"
          aria-label={`Approve ${entry.email}`}
          onClick={() => ask({ what: 'approve', entry })}
        >
          Approve
        </Button>
        <Button
          className="h-7!"
          look="danger"
          aria-label={`Decline ${entry.email}`}
          onClick={() => ask({ what: 'decline', entry })}
        >
          Decline
        </Button>
      </span>
    ),
  },
];

/** Requests for access; hidden while there are none. */
export function WaitlistPanel({ providers }: { providers: readonly NamedProvider[] }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { data, error, refetch } = useQuery(waitlistQuery);
  const close = () => setAsked(null);
  if (error && !data)
    return (
      <Panel title="Waitlist">
        <ErrorLine
          message={`The waitlist could not be loaded. ${messageOf(error)}`}
          onRetry={() => void refetch()}
        />
      </Panel>
    );
  const isShown = data !== undefined && (data.data.length > 0 || asked !== null);
  if (!isShown) return null;
  const left = data.meta.total - data.data.length;
  return (
    <Panel title="Waitlist" flush count={data.meta.total}>
      <PlainTable label="Waitlist" columns={columnsOf(setAsked)} rows={data.data} keyOf={({ id }) => id} />
      {left > 0 && (
        <p className="border-t border-line px-4 py-2 text-xs text-muted">
          <Count n={left} plain="They are listed once the others are decided" /> more follow when these are
          decided.
        </p>
      )}
      {asked?.what === 'approve' && (
        <ApproveDialog entry={asked.entry} providers={providers} onClose={close} />
      )}
      {asked?.what === 'decline' && <DeclineDialog entry={asked.entry} onClose={close} />}
    </Panel>
  );
}
