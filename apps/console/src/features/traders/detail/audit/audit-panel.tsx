import { formatCount } from '@copydesk/domain';
import { useQuery } from '@tanstack/react-query';
import ScrollText from 'lucide-react/icons/scroll-text';
import { useState } from 'react';
import { messageOf } from '../../../../lib/api-error.ts';
import { fullTime, readTime } from '../../../../lib/read-time.ts';
import { Loading } from '../../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { type AuditEntry, auditQuery } from './audit-query.ts';
import { actionWords, auditChanges } from './audit-words.ts';

const STEP = 10;

function Entry({ entry }: { entry: AuditEntry }) {
  return (
    <li className="grid gap-x-4 gap-y-0.5 border-t border-line px-4 py-2 first:border-t-0 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
      <time
        dateTime={entry.at}
        title={fullTime(entry.at)}
        className="text-xs leading-5 text-muted tabular-nums"
      >
        {readTime(entry.at)}
      </time>
      <div className="min-w-0">
        <p className="font-medium">{actionWords(entry.action)}</p>
        <ul className="text-xs break-words text-muted empty:hidden">
          {auditChanges(entry).map(({ field, from, to }) => (
            <li key={field}>
              {field}: {from !== null && <span className="text-ink">{from}</span>}
              {from !== null && ' → '}
              <span className="text-ink">{to ?? 'none'}</span>
            </li>
          ))}
        </ul>
      </div>
      <p className="text-xs leading-5 text-muted">
        by <span className="text-ink">{entry.actor_name}</span>
        {entry.actor_kind !== 'user' && ` (${entry.actor_kind})`}
      </p>
    </li>
  );
}

/** The audit entries of a trader. For super admins. */
export function AuditPanel({ traderId }: { traderId: string }) {
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch, isPlaceholderData } = useQuery(auditQuery(traderId, limit));
  const shown = data?.data ?? [];
  return (
    <Panel title="Audit History" count={data ? formatCount(data.meta.total) : undefined} flush>
      <QueryState
        small
        error={error && !data ? { title: 'The audit could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<Loading text="Loading audit history..." />}
        isEmpty={shown.length === 0}
        empty={
          <MessagePanel
            icon={ScrollText}
            level={3}
            small
            title="No changes yet"
            text="Changes to this trader appear here"
          />
        }
      >
        <ol aria-label="Changes, newest first">
          {shown.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, two may share a moment, and none has state
            <Entry key={index} entry={entry} />
          ))}
        </ol>
        {data && data.meta.total > shown.length && (
          <div className="border-t border-line p-2 text-center">
            <Button
              look="quiet"
              aria-disabled={isPlaceholderData}
              onClick={() => !isPlaceholderData && setLimit(limit + STEP)}
            >
              Show more
            </Button>
          </div>
        )}
      </QueryState>
    </Panel>
  );
}
