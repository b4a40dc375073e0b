import type { TraderExchange } from '@copydesk/contract/exchanges';
import type { Trader } from '@copydesk/contract/traders';
import { mayReveal } from '@copydesk/domain/access';
import { EXCHANGE_PROBLEMS, type ExchangeProblem } from '@copydesk/domain/trading';
import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import KeyRound from 'lucide-react/icons/key-round';
import Trash2 from 'lucide-react/icons/trash-2';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useCallback, useState } from 'react';
import { invalidate } from '../../../../lib/api/read-again.ts';
import { exchangeName } from '../../../../lib/format/exchange-name.ts';
import { useCan } from '../../../../lib/rights.ts';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { CopyText } from '../../../../ui/figures/copy-text.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { tradersKeys } from '../../traders-queries.ts';
import { ConnectExchangeDialog } from '../connect/connect-exchange-dialog.tsx';
import { EgressNote } from '../connect/egress-note.tsx';
import { AccountBalance } from './account-balance.tsx';
import { accountFields } from './account-fields.ts';
import type { BalanceShown } from './balance-shown.ts';
import { ClosedRow } from './closed-row.tsx';
import { CredentialRow } from './credential-row.tsx';
import { IpWhitelistBlock } from './ip-whitelist-block.tsx';
import type { IpWhitelist } from './ip-whitelist-query.ts';
import { LastReveal } from './last-reveal.tsx';
import { RemoveExchangeDialog } from './remove-exchange-dialog.tsx';
import type { RevealViewer } from './reveal-viewer.ts';
import type { WhitelistState } from './whitelist-state.ts';

interface ExchangeCardProps {
  trader: Trader;
  account: TraderExchange;
  balance: BalanceShown;
  onRetryBalance(): void;
  whitelist: WhitelistState;
  accountType: IpWhitelist['accountType'];
  onRetryWhitelist(): void;
  viewer: RevealViewer;
  /** Asks for the reason that the next accounts need. */
  askReason(): Promise<string | null>;
  /** Accounts that can be revealed before a reason is needed have changed. */
  onLeft(left: number): void;
}

/** Problems that a new key solves. */
const OF_KEY: ReadonlySet<ExchangeProblem> = new Set([
  'invalid_credentials',
  'credentials_or_ip',
  'ip_not_allowed',
  'insufficient_permission',
]);
const isOfKey = (problem: ExchangeProblem) => OF_KEY.has(problem);

const ACT = 'flex size-7 items-center justify-center rounded text-muted';

const copyFailed = () => toast({ tone: 'negative', title: 'Copy failed' });

export function ExchangeCard(props: ExchangeCardProps) {
  const { trader, account, viewer, onLeft } = props;
  const traderId = trader.id;
  const client = useQueryClient();
  const onRevealed = useCallback(
    (left: number) => {
      onLeft(left);
      void invalidate(client, { queryKey: tradersKeys.detail(traderId) });
    },
    [client, traderId, onLeft],
  );
  const hasRole = useCan('secrets:reveal');
  const mayRemove = useCan('accounts:write');
  const isAllowed =
    hasRole && mayReveal({ ...viewer, isProviderSuperOnly: account.reveal_super_only ?? false });
  const [isRemoving, setRemoving] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const name = exchangeName(account.exchange);
  const backgroundProblem = account.read_error ? EXCHANGE_PROBLEMS[account.read_error] : null;
  const type = props.accountType ?? account.account_type;
  return (
    <li
      aria-label={`${name} ${account.acc_uid}`}
      className="min-w-0 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0 @2xl:grid @2xl:grid-cols-[15rem_minmax(0,1fr)_12rem] @2xl:gap-x-6"
    >
      <div className="min-w-0">
        <div className="flex items-start gap-2">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
            <h3 className="font-semibold">{name}</h3>
            <Badge tone="accent">{account.provider_name}</Badge>
            {type && <Badge tone="neutral">{type === 'master' ? 'Master' : 'Subaccount'}</Badge>}
            {account.may_withdraw && (
              <Badge tone="caution" icon={TriangleAlert}>
                Withdrawals allowed
              </Badge>
            )}
            {account.may_withdraw === null && account.exchange !== 'hyperliquid' && (
              <Badge tone="neutral">Withdrawals unknown</Badge>
            )}
          </div>
          {mayRemove && (
            <div className="-mt-1 -me-1 flex shrink-0">
              <button
                type="button"
                aria-label={`Replace key of ${name} ${account.acc_uid}`}
                title="Replace key"
                onClick={() => setReplacing(true)}
                className={clsx(ACT, 'hover:bg-subtle hover:text-ink')}
              >
                <KeyRound className="size-3.5" aria-hidden="true" />
              </button>
              <button
                type="button"
                aria-label={`Remove ${name} ${account.acc_uid}`}
                title="Remove exchange"
                onClick={() => setRemoving(true)}
                className={clsx(ACT, 'hover:bg-negative-soft hover:text-negative')}
              >
                <Trash2 className="size-3.5" aria-hidden="true" />
              </button>
            </div>
          )}
        </div>
        <div className="font-mono text-sm text-muted">
          <CopyText text={account.acc_uid} what="account id" onFailure={copyFailed} />
        </div>
        <AccountBalance shown={props.balance} onRetry={props.onRetryBalance} />
        {backgroundProblem && backgroundProblem !== props.balance.problem && (
          <p className="mt-1 flex items-start gap-1.5 text-xs text-caution">
            <TriangleAlert className="mt-0.5 size-3 shrink-0" aria-hidden="true" />
            The last background read failed. {backgroundProblem}
          </p>
        )}
        {account.read_error && isOfKey(account.read_error) && mayRemove && (
          <div className="mt-2 space-y-2">
            {account.exchange !== 'hyperliquid' && <EgressNote />}
            <Button className="h-7!" onClick={() => setReplacing(true)}>
              Replace
            </Button>
          </div>
        )}
      </div>
      <div className="min-w-0 max-@2xl:mt-2">
        {accountFields(account).map((field) =>
          isAllowed || field.kind === 'address' ? (
            <CredentialRow
              key={field.label}
              traderId={traderId}
              account={account}
              field={field}
              onRevealed={onRevealed}
              askReason={props.askReason}
            />
          ) : (
            <ClosedRow key={field.label} field={field} />
          ),
        )}
        {!isAllowed && (
          <p className="mt-1 text-xs text-muted">
            {hasRole
              ? 'Only super admins may reveal these secrets.'
              : 'Your role does not include revealing secrets.'}
          </p>
        )}
        {account.last_reveal && <LastReveal reveal={account.last_reveal} viewerId={viewer.id} />}
      </div>
      {account.exchange !== 'hyperliquid' && (
        <IpWhitelistBlock
          state={props.whitelist}
          account={`${name} ${account.acc_uid}`}
          onRetry={props.onRetryWhitelist}
        />
      )}
      {isReplacing && (
        <ConnectExchangeDialog trader={trader} replaces={account} onClose={() => setReplacing(false)} />
      )}
      {isRemoving && (
        <RemoveExchangeDialog traderId={traderId} account={account} onClose={() => setRemoving(false)} />
      )}
    </li>
  );
}
