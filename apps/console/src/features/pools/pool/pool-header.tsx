import { formatCount } from '@copydesk/domain/money';
import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import type { LiveStatus } from '../../../lib/live/live-status.ts';
import { AwaitingApproval } from '../../../ui/feedback/awaiting-approval.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { LiveIndicator } from '../../../ui/feedback/live-indicator.tsx';
import { ReadAt } from '../../../ui/feedback/read-at.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { ReplaceKeyDialog } from '../connect/replace-key-dialog.tsx';
import { Floored } from '../floored.tsx';
import { HarvestBadge } from '../harvest-badge.tsx';
import { needsAction } from '../harvest-texts.ts';
import type { PooledAccount } from '../pools-queries.ts';
import { TradedOnNotice } from '../traded-on-notice.tsx';
import { isForPeople, turnOfPool, turnWords } from '../turn-texts.ts';
import { PoolSettingsDialog } from './pool-settings-dialog.tsx';
import { FEE_WORDS } from './pool-texts.ts';

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="sm:text-right">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="h-7 text-xl leading-7 font-semibold tracking-tight tabular-nums">{children}</dd>
    </div>
  );
}

interface PoolHeaderProps {
  pool: PooledAccount;
  /** When it was read, in ms. */
  readAt: number;
  live: LiveStatus;
  /** Staff see only the members that are traders of their providers. */
  isPart: boolean;
}

function Settings({ pool }: { pool: PooledAccount }) {
  const [open, setOpen] = useState<'settings' | 'key' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button className="h-7!" onClick={() => setOpen('settings')}>
        Settings
      </Button>
      <Button className="h-7!" onClick={() => setOpen('key')}>
        Replace key
      </Button>
      {open === 'settings' && <PoolSettingsDialog pool={pool} onClose={close} />}
      {open === 'key' && <ReplaceKeyDialog pool={pool} onClose={close} />}
    </>
  );
}

export function PoolHeader({ pool, readAt, live, isPart }: PoolHeaderProps) {
  const { community, current_harvest_cycle: cycle, minimum_deposit, fee_basis } = pool;
  const turn = turnOfPool(pool);
  return (
    <header className="mt-1 mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight">
            Pool of {community.name}
          </h1>
          <HarvestBadge status={cycle.status} isForPeople={turn !== null && isForPeople(turn)} />
          {needsAction(cycle.status) && <Badge tone="caution">Action required</Badge>}
          {pool.awaits_approval ? (
            <AwaitingApproval />
          ) : (
            !pool.is_active && <Badge tone="neutral">Inactive</Badge>
          )}
          {!isPart && <Settings pool={pool} />}
        </div>
        {turn && (
          <p className={clsx('mt-0.5 text-pretty', isForPeople(turn) && 'font-medium text-caution')}>
            {turnWords(turn)}
          </p>
        )}
        <TradedOnNotice cycle={cycle} />
        {!pool.is_active && !pool.awaits_approval && !isPart && (
          <p className="mt-0.5 text-pretty">
            Left out of harvests. A trader or another pool may connect its exchange account.
          </p>
        )}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-xs text-muted tabular-nums">
          <LiveIndicator status={live} />
          <ReadAt at={new Date(readAt).toISOString()} />
          <span>Cycle {formatCount(cycle.cycle_number)}</span>
          <span>
            Minimum deposit <Floored amount={minimum_deposit} />
          </span>
          <span>{FEE_WORDS[fee_basis]}</span>
        </p>
        {isPart && (
          <p className="text-xs text-pretty text-muted">Figures are your part: traders of your providers.</p>
        )}
      </div>
      <dl className="flex gap-8">
        <Figure label="Traders">{formatCount(pool.trader_count)}</Figure>
        <Figure label="Pending deposits">
          <Floored amount={pool.pending_deposits} />
        </Figure>
        <Figure label="Virtual balance">
          <Floored amount={pool.total_virtual_balance} />
        </Figure>
      </dl>
    </header>
  );
}
