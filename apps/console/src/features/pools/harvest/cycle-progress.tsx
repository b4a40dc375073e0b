import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { type HarvestProgress, harvestProgressQuery, type PooledAccount } from '../pools-queries.ts';
import { reasonWords } from '../reason-texts.ts';
import { CycleActs } from './cycle-acts.tsx';
import { DepositAddressDialog } from './deposit-address-dialog.tsx';
import { FUNDING_WORDS, foreignWords } from './progress-texts.ts';
import { Timeline } from './timeline.tsx';

/** What super admins see of a cycle: the figures that decide it, their acts, and its timeline. */
export function CycleProgress({ pool, explorerUrl }: { pool: PooledAccount; explorerUrl: string }) {
  const { data, error, refetch } = useQuery(harvestProgressQuery(pool));
  if (error && !data)
    return (
      <div className="border-t border-line py-3">
        <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
      </div>
    );
  if (!data) return <span aria-hidden="true" className="skeleton my-3 block h-24 w-full" />;
  return (
    <>
      <Figures pool={pool} progress={data} explorerUrl={explorerUrl} />
      <CycleActs pool={pool} progress={data} />
      <Timeline events={data.events} />
    </>
  );
}

interface FiguresProps {
  pool: PooledAccount;
  progress: HarvestProgress;
  explorerUrl: string;
}

function Figures({ pool, progress, explorerUrl }: FiguresProps) {
  const { evidence, valuation, funding, owner, start_balance, returned, deposit_address } = progress;
  const { status } = pool.current_harvest_cycle;
  const isWithdrawing = status === 'awaiting_bybit_withdrawal';
  return (
    <Facts className="border-t border-line py-1">
      {isWithdrawing && <Fact label="Owner">{ownerWords(owner)}</Fact>}
      {start_balance !== null && !valuation?.is_booked && (
        <Fact label="Returned of the start balance">
          <Money as="exact" amount={returned} /> <span className="text-muted">of</span>{' '}
          <Money as="exact" amount={start_balance} />
        </Fact>
      )}
      {evidence && (
        <Fact label="Last read of Bybit">
          <Money as="exact" amount={evidence.balance} />
          <span className="text-muted">
            {' '}
            · {countWords(evidence.open_positions, 'position')}, {countWords(evidence.open_orders, 'order')} ·{' '}
            <When at={evidence.read_at} />
          </span>
        </Fact>
      )}
      {valuation && (
        <Fact label={valuation.is_booked ? 'Result' : 'Result as of the last read'}>
          <Money as="exact" amount={valuation.result} isSigned />
          {valuation.reasons.length > 0 && (
            <span className="block text-xs text-muted">{reasonWords(valuation.reasons.join(', '))}</span>
          )}
          {foreignWords(valuation) && (
            <span className="block text-xs break-words text-muted">{foreignWords(valuation)}</span>
          )}
        </Fact>
      )}
      {funding && (
        <Fact label="Transfer to Bybit">
          <Money as="exact" amount={funding.amount} />
          <span className="text-muted"> · {FUNDING_WORDS[funding.state]} </span>
          <TxLink hash={funding.transaction_hash} what="Funding" explorerUrl={explorerUrl} />
        </Fact>
      )}
      <Fact label="Proxy wallet">
        {progress.proxy_address ? (
          <Address address={progress.proxy_address} what="address of the proxy wallet" />
        ) : (
          <span className="text-caution">Being set up</span>
        )}
      </Fact>
      <Fact label="Deposit address at Bybit">
        <DepositAddress pool={pool} address={deposit_address} />
      </Fact>
      <Fact label="Trading bot">{progress.has_bot ? 'Attached' : 'None: an operator confirms'}</Fact>
    </Facts>
  );
}

const countWords = (count: number, what: string) => `${count} ${count === 1 ? what : `${what}s`}`;

const MESSAGE_WORDS = { queued: 'message queued', sent: 'message sent', failed: 'message failed' } as const;

function ownerWords({ name, notified_at, message_state, reminders }: HarvestProgress['owner']): ReactNode {
  return (
    <>
      {name ?? 'Unnamed'}
      <span className="text-muted">
        {message_state ? ` · ${MESSAGE_WORDS[message_state]}` : ' · not notified'}
        {notified_at && (
          <>
            {' '}
            <When at={notified_at} />
          </>
        )}
        {reminders > 0 && ` · ${countWords(reminders, 'reminder')}`}
      </span>
    </>
  );
}

interface DepositAddressProps {
  pool: PooledAccount;
  address: HarvestProgress['deposit_address'];
}

function DepositAddress({ pool, address: { approved, usable_from, read } }: DepositAddressProps) {
  const [isSetting, setSetting] = useState(false);
  const isHeld = usable_from !== null && Date.parse(usable_from) > Date.now();
  const isOther = read !== null && read.toLowerCase() !== approved?.toLowerCase();
  return (
    <>
      {approved === null ? (
        <span className="text-caution">Not set</span>
      ) : (
        <Address address={approved} what="deposit address at Bybit" />
      )}
      {isHeld && (
        <span className="text-caution">
          {' '}
          · usable from <When at={usable_from} />
        </span>
      )}
      {isOther && <span className="text-negative"> · Bybit shows {read}</span>}
      <Button className="ms-2 h-7!" onClick={() => setSetting(true)}>
        {approved === null ? 'Set' : 'Change'}
      </Button>
      {isSetting && <DepositAddressDialog pool={pool} onClose={() => setSetting(false)} />}
    </>
  );
}
