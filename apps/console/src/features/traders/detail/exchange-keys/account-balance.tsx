import { useReadAt } from '../../../../lib/live/old-readings.ts';
import { OldReading } from '../../../../ui/feedback/old-reading.tsx';
import { Fact, Facts } from '../../../../ui/figures/fact.tsx';
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
      <Facts className="mt-1">
        <Fact label="Balance">
          <span className="flex flex-wrap items-baseline justify-end gap-x-2">
            {balance !== null && <OldReading at={readAt} />}
            {isLoading ? (
              <span className="text-muted">Loading...</span>
            ) : (
              <Money amount={balance} as="equityCents" className="text-base font-semibold" />
            )}
          </span>
        </Fact>
      </Facts>
      {problem && <RetryLine text="Failed to load" reason={problem} onRetry={onRetry} />}
    </>
  );
}
