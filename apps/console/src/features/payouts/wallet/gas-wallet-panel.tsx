import { useQuery } from '@tanstack/react-query';
import Snowflake from 'lucide-react/icons/snowflake';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { useReadAt } from '../../../lib/live/old-readings.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { OldReading } from '../../../ui/feedback/old-reading.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { CopyButton } from '../../../ui/figures/copy-button.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { bnb } from '../payout-texts.ts';
import { gasWalletQuery } from '../payouts-queries.ts';

const LEVELS = {
  empty: <Badge tone="negative">Empty</Badge>,
  low: <Badge tone="caution">Low</Badge>,
  enough: null,
};

/** The wallet that pays for all transactions: where to send BNB, and how long it lasts. For super admins. */
export function GasWalletPanel() {
  const { data, error, refetch } = useQuery(gasWalletQuery);
  useReadAt(data?.address ? data.read_at : null, 'Gas wallet');
  return (
    <Panel title="Gas Wallet" note={data?.address && <OldReading at={data.read_at} />}>
      <QueryState
        small
        error={
          error && !data ? { title: 'The gas wallet could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading gas wallet..." />}
        isEmpty={false}
        empty={null}
      >
        <p className="pb-2 text-xs text-muted">
          Pays the fee of every transaction of the platform. Send BNB to its address to fill it.
        </p>
        {data && (
          <Facts>
            <Fact label="Address">
              {data.address ? (
                <span className="flex items-center justify-end gap-1">
                  <WholeAddress address={data.address} className="min-w-0" />
                  <CopyButton what="gas wallet address" getText={() => data.address ?? ''} />
                </span>
              ) : (
                <span className="text-muted">Known once a worker with the wallet seed has run</span>
              )}
            </Fact>
            {data.balance !== null && data.transfers !== null && (
              <>
                <Fact label="Balance">
                  <span className="flex items-center justify-end gap-2">
                    {data.frozen_because && (
                      <Badge tone="negative" icon={Snowflake}>
                        Frozen
                      </Badge>
                    )}
                    {LEVELS[gasLevel(data.transfers)]}
                    <span className="font-semibold tabular-nums">{bnb(data.balance)} BNB</span>
                  </span>
                </Fact>
                <Fact label="Enough for">
                  <span className="tabular-nums">{gasWords(data.transfers, data.fee_basis)}</span>
                </Fact>
              </>
            )}
          </Facts>
        )}
      </QueryState>
    </Panel>
  );
}

/** Below this many transfers, the wallet should be filled. */
const LOW = 100;

export const gasLevel = (transfers: number): 'empty' | 'low' | 'enough' =>
  transfers === 0 ? 'empty' : transfers < LOW ? 'low' : 'enough';

/** The transfers that the wallet pays for, and at which fee. */
export function gasWords(transfers: number, basis: 'recent' | 'highest'): string {
  const fees = basis === 'recent' ? 'at recent cost' : 'at the highest gas price';
  if (transfers === 0) return `Less than one transfer ${fees}`;
  const count = transfers === 1 ? '1 transfer' : `${formatCount(transfers)} transfers`;
  return `${basis === 'recent' ? 'About' : 'At least'} ${count} ${fees}`;
}
