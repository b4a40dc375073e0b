import { useQuery } from '@tanstack/react-query';
import Snowflake from 'lucide-react/icons/snowflake';
import { useCallback, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useAsOf } from '../../../lib/live/freshness.ts';
import { useReadAt } from '../../../lib/live/old-readings.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { OldReading } from '../../../ui/feedback/old-reading.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ChangedAddress } from '../addresses/changed-address.tsx';
import { sharesWord } from '../payout-texts.ts';
import { type ExternalWallet, walletBalanceQuery, withdrawableQuery } from '../payouts-queries.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

interface WalletsPanelProps {
  community: { id: string; name: string };
  external: ExternalWallet;
}

const missing = (text: string) => <span className="text-muted">{text}</span>;

/** Our wallet for the community, the destination of its own share, and the part of it that can be paid out. */
export function WalletsPanel({ community, external }: WalletsPanelProps) {
  const balance = useQuery(walletBalanceQuery(community.id));
  const withdrawable = useQuery(withdrawableQuery(community.id));
  const [amount, setAmount] = useState<string | null>(null);
  const close = useCallback(() => setAmount(null), []);
  const wallet = balance.data;
  useAsOf(wallet?.as_of, 'Internal wallet');
  useReadAt(external.balance === null ? null : external.balance_read_at, 'External wallet');
  const failed = [balance, withdrawable].filter((query) => query.data === undefined && query.isError);
  const [failure] = failed;
  const unread = (error: unknown) => missing(error ? 'Unknown' : 'Reading...');
  const obstacle = withdrawObstacle(withdrawable.data);
  const withdraw = () => {
    if (withdrawable.data && obstacle === null) setAmount(withdrawable.data.amount);
  };
  return (
    <Panel title="Wallets">
      {failure && (
        <div className="pb-2">
          <ErrorLine
            message={messageOf(failure.error)}
            onRetry={() => void Promise.all(failed.map((query) => query.refetch()))}
          />
        </div>
      )}
      <Facts>
        <Fact label="Internal balance">
          <span className="flex items-center justify-end gap-2">
            {wallet?.frozen_because && (
              <Badge tone="negative" icon={Snowflake}>
                Frozen
              </Badge>
            )}
            {wallet ? <Money amount={wallet.balance} className="font-semibold" /> : unread(balance.error)}
          </span>
        </Fact>
        <Fact label="To consolidate">
          <span className="flex items-center justify-end gap-1.5 tabular-nums">
            <InfoTip
              about="what is to be consolidated"
              text="Owed by the community and still held at traders’ deposit addresses. Consolidated when it is paid out."
            />
            {wallet ? <Money amount={wallet.to_consolidate} /> : unread(balance.error)}
          </span>
        </Fact>
        <Fact label="Internal address">
          {wallet?.address ? (
            <Address address={wallet.address} what="internal wallet address" />
          ) : wallet ? (
            missing('Not assigned yet')
          ) : (
            unread(balance.error)
          )}
        </Fact>
        <Fact label="External address">
          {external.address ? (
            <Address address={external.address} what="external wallet address" />
          ) : (
            missing('No external address set')
          )}
          <ChangedAddress communityId={community.id} recipientType="community" />
        </Fact>
        {external.address && (
          <Fact label="External balance">
            {external.balance === null ? (
              missing('Not read yet')
            ) : (
              <span className="flex flex-wrap items-baseline justify-end gap-x-2 tabular-nums">
                <OldReading at={external.balance_read_at} />
                <Money amount={external.balance} />
              </span>
            )}
          </Fact>
        )}
        <Fact label="Available for withdrawal">
          {withdrawable.data ? (
            <span className="tabular-nums" title={sharesWord(withdrawable.data.payable_count)}>
              <Money amount={withdrawable.data.amount} className="font-semibold" />
            </span>
          ) : (
            unread(withdrawable.error)
          )}
        </Fact>
      </Facts>
      <div className="mt-2 flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        {obstacle && (
          <p id="withdraw-obstacle" className="me-auto text-xs text-muted">
            {obstacle}
          </p>
        )}
        <Button
          disabled={obstacle !== null || !withdrawable.data}
          aria-describedby={obstacle ? 'withdraw-obstacle' : undefined}
          onClick={withdraw}
        >
          Withdraw
        </Button>
      </div>
      {amount !== null && <WithdrawDialog community={community} amount={amount} onClose={close} />}
    </Panel>
  );
}

/** Why a community's own share cannot be paid out now; null when no obstacle is known. */
export function withdrawObstacle(
  withdrawable: { amount: string; address: string | null } | undefined,
): string | null {
  if (!withdrawable) return null;
  if (!/[1-9]/.test(withdrawable.amount)) return 'Nothing to withdraw';
  return withdrawable.address === null ? 'No payable external address' : null;
}
