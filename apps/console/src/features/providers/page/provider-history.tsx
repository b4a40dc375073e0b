import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { shownPercentage } from '../../../lib/format/figures.ts';
import { ChangeLog } from '../../../ui/feedback/change-log.tsx';
import { FieldChanges } from '../../../ui/feedback/field-changes.tsx';
import { exchangesText } from '../exchange-texts.ts';
import { providerHistoryQuery } from '../providers-queries.ts';

const STEP = 10;
const NAMES: Record<string, string> = {
  name: 'Internal name',
  display_name: 'Display name',
  payment_split_percentage: 'Payment split',
  minimum_commission_rate: 'Minimum commission',
  supported_exchanges: 'Exchanges',
  is_active: 'Active',
  invoicing_enabled: 'Invoicing',
  telegram_admin_channel_id: 'Telegram admin channel',
  payout_address: 'Payout address',
  reveal_super_only: 'Secrets for super admins only',
};

/** A value of the history as text. */
function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (name === 'payment_split_percentage' || name === 'minimum_commission_rate')
    return `${shownPercentage(String(value))}%`;
  if (Array.isArray(value)) return exchangesText(value);
  if (name === 'invoicing_enabled') return value ? 'enabled' : 'disabled';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** The history of a provider's settings: person, setting, old and new value. */
export function ProviderHistory({ providerId }: { providerId: string }) {
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch, isPlaceholderData } = useQuery(providerHistoryQuery(providerId, limit));
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
      {({ before, after }) =>
        before === null ? (
          <p>
            <span className="font-medium">Created</span>{' '}
            <span className="text-muted">
              with a payment split of {valueText('payment_split_percentage', after.payment_split_percentage)}
            </span>
          </p>
        ) : (
          <FieldChanges before={before} after={after} names={NAMES} textOf={valueText} />
        )
      }
    </ChangeLog>
  );
}
