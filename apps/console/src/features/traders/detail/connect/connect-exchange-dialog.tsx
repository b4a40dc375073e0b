import type { Trader } from '@copydesk/contract';
import { useQuery } from '@tanstack/react-query';
import PlugZap from 'lucide-react/icons/plug-zap';
import { messageOf } from '../../../../lib/api-error.ts';
import { displayName } from '../../../../lib/trader-name.ts';
import { Loading } from '../../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { Dialog } from '../../../../ui/forms/dialog.tsx';
import { availableExchangesQuery } from './available-exchanges-query.ts';
import { ConnectForm } from './connect-form.tsx';

export function ConnectExchangeDialog({ trader, onClose }: { trader: Trader; onClose(): void }) {
  const { data, error, refetch } = useQuery(availableExchangesQuery(trader.id));
  const [first, ...others] = data ?? [];
  return (
    <Dialog
      title="Connect Exchange"
      text={`The credentials of ${displayName(trader)} are tried at the exchange first, then stored encrypted.`}
      onClose={onClose}
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The exchanges could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<Loading />}
        isEmpty={!first}
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
        {first && <ConnectForm trader={trader} available={[first, ...others]} onClose={onClose} />}
      </QueryState>
    </Dialog>
  );
}
