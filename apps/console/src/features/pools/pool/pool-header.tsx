import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../lib/format/numbers.ts';
import { useAsOf } from '../../../lib/live/freshness.ts';
import { AwaitingApproval } from '../../../ui/feedback/awaiting-approval.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Facts, StackedFact } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { PageHeader } from '../../../ui/layout/page.tsx';
import { ReplaceKeyDialog } from '../connect/replace-key-dialog.tsx';
import { HarvestBadge } from '../harvest-badge.tsx';
import { needsAction } from '../harvest-texts.ts';
import type { PooledAccount } from '../pools-queries.ts';
import { TradedOnNotice } from '../traded-on-notice.tsx';
import { isForPeople, turnOfPool, turnWords } from '../turn-texts.ts';
import { PoolSettingsDialog } from './pool-settings-dialog.tsx';
import { FEE_WORDS } from './pool-texts.ts';

interface PoolHeaderProps {
  pool: PooledAccount;
  /** When it was read, in ms. */
  readAt: number;
  back: ReactNode;
  /** Staff see only the members that are traders of their providers. */
  isPart: boolean;
}

function Settings({ pool }: { pool: PooledAccount }) {
  const [open, setOpen] = useState<'settings' | 'key' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen('settings')}>Settings</Button>
      <Button onClick={() => setOpen('key')}>Replace key</Button>
      {open === 'settings' && <PoolSettingsDialog pool={pool} onClose={close} />}
      {open === 'key' && <ReplaceKeyDialog pool={pool} onClose={close} />}
    </>
  );
}

export function PoolHeader({ pool, readAt, back, isPart }: PoolHeaderProps) {
  const { community, current_harvest_cycle: cycle, minimum_deposit, fee_basis } = pool;
  const turn = turnOfPool(pool);
  useAsOf(new Date(readAt).toISOString(), 'Pool');
  return (
    <PageHeader
      back={back}
      title={`Pool of ${community.name}`}
      facts={
        <>
          <HarvestBadge status={cycle.status} isForPeople={turn !== null && isForPeople(turn)} />
          {needsAction(cycle.status) && <Badge tone="caution">Action required</Badge>}
          {pool.awaits_approval ? (
            <AwaitingApproval />
          ) : (
            !pool.is_active && <Badge tone="neutral">Inactive</Badge>
          )}
        </>
      }
      actions={
        <>
          <Facts className="flex flex-wrap gap-x-6 gap-y-1">
            <StackedFact size="medium" label="Traders">
              <Count n={pool.trader_count} plain="They are listed below" />
            </StackedFact>
            <StackedFact size="medium" label="Pending deposits">
              <Money as="floored" amount={pool.pending_deposits} />
            </StackedFact>
            <StackedFact size="medium" label="Virtual balance">
              <Money as="floored" amount={pool.total_virtual_balance} />
            </StackedFact>
          </Facts>
          {!isPart && <Settings pool={pool} />}
        </>
      }
      note={
        <>
          {turn && (
            <p className={clsx('text-sm', isForPeople(turn) ? 'font-medium text-caution' : 'text-ink')}>
              {turnWords(turn)}
            </p>
          )}
          <TradedOnNotice cycle={cycle} />
          {!pool.is_active && !pool.awaits_approval && !isPart && (
            <p className="text-sm text-ink">
              Left out of harvests. A trader or another pool may connect its exchange account.
            </p>
          )}
          <p className="flex flex-wrap items-center gap-x-3 tabular-nums">
            <span>Cycle {formatCount(cycle.cycle_number)}</span>
            <span>
              Minimum deposit <Money as="floored" amount={minimum_deposit} />
            </span>
            <span>{FEE_WORDS[fee_basis]}</span>
          </p>
          {isPart && <p>Figures are your part: traders of your providers.</p>}
        </>
      }
    />
  );
}
