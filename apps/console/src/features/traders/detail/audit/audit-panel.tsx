import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import ScrollText from 'lucide-react/icons/scroll-text';
import { useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { ChangeLog } from '../../../../ui/feedback/change-log.tsx';
import { tradersKeys } from '../../traders-queries.ts';

const STEP = 10;

/** The audit entries of a trader. For super admins. */
export function AuditPanel({ traderId }: { traderId: string }) {
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch, isPlaceholderData } = useQuery(auditQuery(traderId, limit));
  return (
    <ChangeLog
      title="Audit History"
      label="Changes, newest first"
      icon={ScrollText}
      page={data}
      error={error && !data ? { title: 'The audit could not be loaded', message: messageOf(error) } : null}
      loading="Loading audit history..."
      empty="Changes to this trader appear here"
      isMoreLoading={isPlaceholderData}
      onMore={() => setLimit(limit + STEP)}
      onRetry={() => void refetch()}
    >
      {(entry) => (
        <>
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
        </>
      )}
    </ChangeLog>
  );
}

/** `exchange.credential_revealed` in plain words. */
export function actionWords(action: string): string {
  const words = action.replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface AuditChange {
  field: string;
  /** Null: there was no value before, or the entry does not contain it. */
  from: string | null;
  to: string | null;
}

/** The changes of an entry, field by field. */
export function auditChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({
      field: name.replaceAll('_', ' '),
      from: written(before?.[name]),
      to: written(after?.[name]),
    }))
    .filter(({ from, to }) => from !== to);
}

function written(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type AuditEntry = CallAnswer<'GET /api/traders/{id}/audit'>['data'][number];

/** The newest audit entries. Super admins only. */
const auditQuery = (traderId: string, limit: number) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'audit', limit],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/traders/{id}/audit', {
        params: { id: traderId },
        query: { limit: String(limit) },
        signal,
      }),
  });
