import { useReadAt } from '../../../../lib/live/old-readings.ts';
import { OldReading } from '../../../../ui/feedback/old-reading.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import type { BalanceShown } from './balance-shown.ts';
import { RetryLine } from './retry-line.tsx';

interface AccountBalanceProps {
  shown: BalanceShown;
  onRetry(): void;
}

export function AccountBalance({ shown, onRetry }: AccountBalanceProps) {
  const { balance, readAt, problem, isLoading } = shown;
  useReadAt(balance === null ? null : readAt, 'Balances');
  return (
    <>
      <dl className="mt-2 flex items-baseline justify-between gap-3">
        <dt className="text-xs text-muted">Balance</dt>
        <dd className="flex items-baseline gap-2">
          {balance !== null && <OldReading at={readAt} />}
          <span className="text-base font-semibold tabular-nums">
            {isLoading ? (
              <span className="text-sm font-normal text-muted">Loading...</span>
            ) : (
              <Money amount={balance} as="equityCents" />
            )}
          </span>
        </dd>
      </dl>
      {problem && <RetryLine text="Failed to load" reason={problem} onRetry={onRetry} />}
    </>
  );
}
