import type { Trader } from '@copydesk/contract/traders';
import { useQuery } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useCan } from '../../../../lib/rights.ts';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { RefreshButton } from '../../../../ui/feedback/refresh-button.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { ConnectExchangeDialog } from '../connect/connect-exchange-dialog.tsx';
import { balanceShown } from './balance-shown.ts';
import { balancesQuery } from './balances-query.ts';
import { ExchangeCard } from './exchange-card.tsx';
import { ipWhitelistQuery } from './ip-whitelist-query.ts';
import type { RevealViewer } from './reveal-viewer.ts';
import { useRevealReason } from './use-reveal-reason.tsx';
import { whitelistState } from './whitelist-state.ts';

/** The number is shown from here on down. */
const FEW_LEFT = 3;
const leftText = (left: number) =>
  left === 0
    ? 'The next account that you reveal within the hour needs a reason.'
    : `You can reveal ${left} more ${left === 1 ? 'account' : 'accounts'} within the hour without a reason.`;

export function ExchangeKeysPanel({ trader, viewer }: { trader: Trader; viewer: RevealViewer }) {
  const mayConnect = useCan('accounts:write');
  const [isConnecting, setConnecting] = useState(false);
  const [left, setLeft] = useState<number | null>(null);
  const { askReason, dialog } = useRevealReason();
  const accounts = trader.exchanges ?? [];
  const enabled = accounts.length > 0;
  const balances = useQuery({ ...balancesQuery(trader.id), enabled });
  const whitelists = useQuery({ ...ipWhitelistQuery(trader.id), enabled });
  const refetchBalances = () => void balances.refetch();
  const refetchWhitelists = () => void whitelists.refetch();
  return (
    <Panel
      title="Exchange Keys"
      count={accounts.length}
      actions={
        <>
          {enabled && (
            <>
              <RefreshButton
                label="Refresh balances"
                text="Balances"
                isBusy={balances.isFetching}
                onClick={refetchBalances}
              />
              <RefreshButton
                label="Refresh IP whitelist"
                text="IP whitelist"
                isBusy={whitelists.isFetching}
                onClick={refetchWhitelists}
              />
            </>
          )}
          {mayConnect && (
            <Button className="h-7!" onClick={() => setConnecting(true)}>
              <Plus className="size-3.5" aria-hidden="true" />
              Connect exchange
            </Button>
          )}
        </>
      }
    >
      {enabled ? (
        <ul aria-label="Exchange accounts" className="@container">
          {accounts.map((account) => {
            const { exchange, acc_uid } = account;
            const entry = whitelists.data?.find(
              (whitelist) => whitelist.exchange === exchange && whitelist.accUid === acc_uid,
            );
            return (
              <ExchangeCard
                key={`${exchange} ${acc_uid}`}
                trader={trader}
                account={account}
                balance={balanceShown(account, balances)}
                onRetryBalance={refetchBalances}
                whitelist={whitelistState({ ...whitelists, entry })}
                accountType={entry?.accountType ?? null}
                onRetryWhitelist={refetchWhitelists}
                viewer={viewer}
                askReason={askReason}
                onLeft={setLeft}
              />
            );
          })}
        </ul>
      ) : (
        <MessagePanel
          icon={KeyRound}
          level={3}
          small
          title="No exchanges connected"
          text="This trader hasn't connected any exchanges yet"
        />
      )}
      {left !== null && left <= FEW_LEFT && (
        <p role="status" className="mt-2 text-xs text-muted">
          {leftText(left)}
        </p>
      )}
      {dialog}
      {isConnecting && <ConnectExchangeDialog trader={trader} onClose={() => setConnecting(false)} />}
    </Panel>
  );
}
