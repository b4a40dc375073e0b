import type { TraderExchange } from '@copydesk/contract/exchanges';
import type { Trader } from '@copydesk/contract/traders';
import { CREDENTIALS, EXCHANGE_CREDENTIALS } from '@copydesk/domain/trading';
import { useQuery } from '@tanstack/react-query';
import PlugZap from 'lucide-react/icons/plug-zap';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { exchangeName } from '../../../../lib/format/exchange-name.ts';
import { displayName } from '../../../../lib/format/trader-name.ts';
import { Loading } from '../../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { type AvailableExchange, availableExchangesQuery } from './available-exchanges-query.ts';
import { ConnectForm } from './connect-form.tsx';

interface ConnectExchangeDialogProps {
  trader: Trader;
  /** The account whose key is replaced; undefined: another account is connected. */
  replaces?: TraderExchange | undefined;
  onClose(): void;
}

export function ConnectExchangeDialog({ trader, replaces, onClose }: ConnectExchangeDialogProps) {
  const { data, error, refetch } = useQuery(availableExchangesQuery(trader.id));
  const [first, ...others] = replaces ? [ownOf(data ?? [], replaces)] : (data ?? []);
  const words = {
    title: replaces ? 'Replace key' : 'Connect exchange',
    text: `${replaces ? `Another key of the ${exchangeName(replaces.exchange)} account ${replaces.acc_uid}. ` : ''}The credentials of ${displayName(trader)} are tried at the exchange first, then stored encrypted.`,
    onClose,
  };
  if (data && first)
    return <ConnectForm {...words} trader={trader} available={[first, ...others]} replaces={replaces} />;
  return (
    <Dialog {...words}>
      <QueryState
        small
        error={
          error && !data ? { title: 'The exchanges could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<Loading />}
        isEmpty
        empty={
          <MessagePanel
            icon={PlugZap}
            level={3}
            small
            title="No exchange available"
            text="No active provider of this trader's community supports an exchange"
          />
        }
      >
        {null}
      </QueryState>
    </Dialog>
  );
}

/** The exchange and the provider of one account, also where that provider gets no further accounts. */
const ownOf = (
  available: readonly AvailableExchange[],
  { exchange, provider_id, provider_name }: TraderExchange,
): AvailableExchange => ({
  exchange,
  connected: 0,
  fields: EXCHANGE_CREDENTIALS[exchange].map((name) => CREDENTIALS[name].wire),
  ...available.find((entry) => entry.exchange === exchange),
  providers: [{ id: provider_id, name: provider_name }],
});
