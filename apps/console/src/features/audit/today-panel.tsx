import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import ScrollText from 'lucide-react/icons/scroll-text';
import type { ReactNode } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { auditTodayQuery, PEOPLE_TODAY } from './audit-queries.ts';
import type { SettingTexts } from './audit-texts.ts';
import { EntrySentence } from './entry-sentence.tsx';

const SKELETON = ['a', 'b', 'c', 'd', 'e', 'f'];

/**
 * What people did today, as sentences, newest first. For super admins.
 * @param system what the system did, above them
 */
export function TodayPanel({ settings, system }: { settings: SettingTexts; system: ReactNode }) {
  const { data, error, refetch } = useQuery(auditTodayQuery);
  return (
    <Panel
      title="Today"
      note="by people"
      count={data && (data.meta.is_total_capped ? `${data.meta.total}+` : data.meta.total)}
      flush
      actions={
        <Link to="/audit" search={PEOPLE_TODAY} className="rounded text-xs text-accent hover:underline">
          All of today
        </Link>
      }
    >
      {system}
      <QueryState
        error={error && !data ? { title: 'Today could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={!data && !error}
        loading={
          <ol aria-hidden="true">
            {SKELETON.map((key) => (
              <li key={key} className="px-4 py-2">
                <span className="skeleton block h-4 w-full" />
              </li>
            ))}
          </ol>
        }
        isEmpty={data?.data.length === 0}
        empty={
          <MessagePanel
            icon={ScrollText}
            level={3}
            small
            title="Nothing yet today"
            text="What people do appears here. The day begins at 00:00 UTC."
          />
        }
        small
      >
        <ol aria-label="Today, newest first">
          {data?.data.map((entry) => (
            <li key={entry.seq} className="flex gap-3 border-t border-line px-4 py-2 first:border-t-0">
              <When at={entry.at} className="w-20 shrink-0 text-xs leading-5 text-muted" />
              <p className="min-w-0 text-pretty break-words">
                <EntrySentence entry={entry} settings={settings} />
              </p>
            </li>
          ))}
        </ol>
      </QueryState>
    </Panel>
  );
}
