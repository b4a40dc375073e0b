import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { ChangeLog } from '../../../ui/feedback/change-log.tsx';
import { FieldChanges } from '../../../ui/feedback/field-changes.tsx';
import { communitiesKeys } from '../communities-keys.ts';
import { settingText } from './setting-fields.ts';

const STEP = 10;
const NAMES: Record<string, string> = {
  split_percentage: 'Split percentage',
  minimum_balance: 'Minimum balance',
  referrer_wallet_address: 'Referrer address',
  external_wallet_address: 'External address',
  name: 'Name',
  owner_name: 'Owner',
  owner_telegram_id: "Owner's Telegram chat",
  owner_language: "Owner's language",
};

/** The history of settings: person, setting, old and new value. */
export function SettingsHistory({ communityId }: { communityId: string }) {
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch, isPlaceholderData } = useQuery(historyQuery(communityId, limit));
  return (
    <ChangeLog
      title="Settings History"
      label="Changes of settings, newest first"
      icon={History}
      page={data}
      error={error && !data ? { title: 'The history could not be loaded', message: messageOf(error) } : null}
      loading="Loading settings history..."
      empty="Changes to the settings appear here"
      isMoreLoading={isPlaceholderData}
      onMore={() => setLimit(limit + STEP)}
      onRetry={() => void refetch()}
    >
      {({ before, after }) => (
        <FieldChanges before={before} after={after} names={NAMES} textOf={settingText} />
      )}
    </ChangeLog>
  );
}

/** The newest changes of a community's settings. */
const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: [...communitiesKeys.history(id), limit],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/super-admin/communities/{id}/split-history', {
        params: { id },
        query: { limit: String(limit) },
        signal,
      }),
  });
