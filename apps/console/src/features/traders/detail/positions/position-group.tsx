import { shortId } from '@copydesk/domain/money';
import { signOf } from '@copydesk/domain/trading';
import { clsx } from 'clsx';
import ChevronDown from 'lucide-react/icons/chevron-down';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { useId, useState } from 'react';
import { formatPnl } from '../../../../lib/format/figures.ts';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { useReadAt } from '../../../../lib/live/old-readings.ts';
import { SignedFigure } from '../../../../ui/figures/signed-figure.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import { PlainTable } from '../../../../ui/table/plain-table/plain-table.tsx';
import { NotCounted } from '../not-counted.tsx';
import { positionColumns } from './position-columns.tsx';
import type { OpenGroup } from './use-open-positions.ts';

/** The open positions of one account. Starts expanded. */
export function PositionGroup({ group }: { group: OpenGroup }) {
  const [isOpen, setOpen] = useState(true);
  const id = useId();
  const { provider_name, exchange, acc_uid, positions, totalPnl, problem } = group;
  useReadAt(group.readAt, 'Open positions');
  return (
    <li className="border-t border-line first:border-t-0">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-10 w-full flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 text-start hover:bg-hover focus-visible:-outline-offset-2"
        >
          <ChevronDown
            className={clsx('size-4 text-muted transition-transform', !isOpen && '-rotate-90')}
            aria-hidden="true"
          />
          <span className="font-medium">{provider_name}</span>
          <span className="text-xs font-medium text-muted">{exchange.toUpperCase()}</span>
          <span className="hidden font-mono text-sm text-muted sm:inline">{shortId(acc_uid)}</span>
          <span className="text-xs text-muted tabular-nums">
            {formatCount(positions.length)} {positions.length === 1 ? 'position' : 'positions'}
          </span>
          <span className="ms-auto flex items-center gap-3">
            <span className="font-medium">
              <span className="sr-only">Total PnL </span>
              <SignedFigure text={formatPnl(totalPnl)} sign={signOf(totalPnl)} />
              <NotCounted
                positions={positions.filter(({ unrealizedPnl }) => unrealizedPnl === null).length}
              />
            </span>
          </span>
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {problem && (
          <p role="alert" className="flex items-start gap-2 bg-negative-soft px-4 py-2 text-negative">
            <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            <span>
              Error loading positions. {problem}
              {positions.length > 0 && ' These are the last known ones'}
              {positions.length > 0 && group.readAt && (
                <>
                  , of <When at={group.readAt} />
                </>
              )}
              {positions.length > 0 && '.'}
            </span>
          </p>
        )}
        {positions.length > 0 && (
          <PlainTable
            label={`Active positions of ${provider_name}, ${exchange} ${acc_uid}`}
            columns={positionColumns}
            rows={positions}
            keyOf={({ symbol, side }, index) => `${symbol} ${side} ${index}`}
          />
        )}
      </div>
    </li>
  );
}

/** Account names of hyperliquid are addresses. */
