import type { Trader } from '@copydesk/contract/traders';
import { clsx } from 'clsx';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { PART_OF_AUM, unreadWords } from '../../../../lib/format/aum-texts.ts';
import { useReadAt } from '../../../../lib/live/old-readings.ts';
import { useCan } from '../../../../lib/rights.ts';
import { OldReading } from '../../../../ui/feedback/old-reading.tsx';
import { Facts, StackedFact } from '../../../../ui/figures/fact.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { Progress } from '../../../../ui/figures/progress.tsx';
import { YourPart } from '../../../../ui/figures/your-part.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { BelowMinimum } from '../../below-minimum.tsx';
import type { Outcome } from './refresh-outcome.ts';
import { useAumRefresh } from './use-aum-refresh.ts';

const LOOKS = {
  positive: { icon: CircleCheck, className: 'text-positive' },
  caution: { icon: TriangleAlert, className: 'text-caution' },
  negative: { icon: CircleAlert, className: 'text-negative' },
} as const;

function OutcomeLine({ outcome }: { outcome: Outcome }) {
  const { icon: Icon, className } = LOOKS[outcome.tone];
  return (
    <p className={clsx('flex items-start gap-1.5', className)}>
      <Icon className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
      {outcome.text}
    </p>
  );
}

export function AumPanel({ trader }: { trader: Trader }) {
  const isAllowed = useCan('traders:write');
  const { isRunning, progress, outcome, start } = useAumRefresh(trader.id);
  const {
    aum,
    aum_read_at: readAt,
    aum_pool_capital: capital = '0',
    aum_unread_accounts: unread = 0,
  } = trader;
  const isKnown = aum !== null && aum !== undefined;
  useReadAt(isKnown ? readAt : null, 'AUM');
  return (
    <Panel title="AUM Management">
      <Facts>
        <StackedFact
          size="large"
          label={
            <span className="flex flex-wrap items-baseline justify-between gap-x-2">
              <span>Current AUM</span>
              {isKnown && readAt && <OldReading at={readAt} />}
            </span>
          }
          note={
            <>
              {capital !== '0' && (
                <p>
                  of it <Money amount={capital} as="equity" /> pool capital
                </p>
              )}
              {isKnown && unread > 0 && <p className="text-caution">{unreadWords(unread)}</p>}
              <div className="mt-1 empty:hidden">
                <BelowMinimum trader={trader} />
              </div>
            </>
          }
        >
          <span className="flex items-center gap-2">
            {isKnown ? (
              <Money amount={aum} as="equity" />
            ) : (
              <span className="text-base text-muted">Not calculated</span>
            )}
            <YourPart isPart={trader.aum_is_part} title={PART_OF_AUM} />
          </span>
        </StackedFact>
      </Facts>
      {isAllowed && (
        <Button className="mt-2 w-full" aria-disabled={isRunning} onClick={start}>
          <RotateCw className={clsx('size-3.5', isRunning && 'animate-spin')} aria-hidden="true" />
          {isRunning ? 'Refreshing AUM...' : 'Refresh AUM'}
        </Button>
      )}
      <div role="status" className="mt-2 text-xs empty:hidden">
        {progress && (
          <>
            <p className="text-muted tabular-nums">
              {progress.done} of {progress.total} accounts
            </p>
            <Progress
              label="Accounts read"
              value={progress.done}
              max={Math.max(1, progress.total)}
              className="mt-1 h-1 w-full"
            />
          </>
        )}
        {outcome && <OutcomeLine outcome={outcome} />}
      </div>
    </Panel>
  );
}
