import { formatCount } from '@copydesk/domain';
import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { useState } from 'react';
import { messageOf } from '../../../lib/api-error.ts';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { historyQuery, type SettingChange } from './history-query.ts';
import { settingText } from './setting-fields.ts';

const STEP = 10;
const NAMES: Record<string, string> = {
  split_percentage: 'Split percentage',
  minimum_balance: 'Minimum balance',
  referrer_wallet_address: 'Referrer address',
  external_wallet_address: 'External address',
};

function Change({ entry }: { entry: SettingChange }) {
  return (
    <li className="grid gap-x-4 gap-y-0.5 border-t border-line px-4 py-2 first:border-t-0 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
      <time
        dateTime={entry.at}
        title={fullTime(entry.at)}
        className="text-xs leading-5 text-muted tabular-nums"
      >
        {readTime(entry.at)}
      </time>
      <ul className="min-w-0">
        {Object.entries(entry.after).map(([name, value]) => (
          <li key={name} className="break-words">
            <span className="font-medium">{NAMES[name] ?? name}</span>{' '}
            <span className="text-muted tabular-nums">
              {settingText(name, entry.before[name] ?? null)} →{' '}
              <span className="text-ink">{settingText(name, value)}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="text-xs leading-5 text-muted">
        by <span className="text-ink">{entry.actor_name}</span>
        {entry.actor_kind !== 'user' && ` (${entry.actor_kind})`}
      </p>
    </li>
  );
}

/** The history of settings: person, setting, old and new value. */
export function SettingsHistory({ communityId }: { communityId: string }) {
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch, isPlaceholderData } = useQuery(historyQuery(communityId, limit));
  const shown = data?.data ?? [];
  return (
    <Panel title="Settings History" count={data ? formatCount(data.meta.total) : undefined} flush>
      <QueryState
        small
        error={
          error && !data ? { title: 'The history could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<Loading text="Loading settings history..." />}
        isEmpty={shown.length === 0}
        empty={
          <MessagePanel
            icon={History}
            level={3}
            small
            title="No changes yet"
            text="Changes to the settings appear here"
          />
        }
      >
        <ol aria-label="Changes of settings, newest first">
          {shown.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, two may share a moment, and none has state
            <Change key={index} entry={entry} />
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
