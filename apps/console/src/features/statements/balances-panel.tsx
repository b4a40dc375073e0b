import { clsx } from 'clsx';
import { Count } from '../../ui/figures/linked.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Balance } from './balance.tsx';
import type { AccountBalance } from './statement-queries.ts';
import { ACCOUNT_NAMES } from './statement-texts.ts';

interface BalancesPanelProps {
  balances: readonly AccountBalance[];
  shown: Pick<AccountBalance, 'account' | 'asset'> | undefined;
  /** As of the end of a month; otherwise of now. */
  isPast: boolean;
  onShow(account: AccountBalance): void;
}

/** The accounts of an owner with their balances. A press shows the statement of one. */
export function BalancesPanel({ balances, shown, isPast, onShow }: BalancesPanelProps) {
  return (
    <Panel title={isPast ? 'Balances at the end' : 'Balances'} flush>
      <ul aria-label="Balances">
        {balances.map((each) => {
          const isShown = each.account === shown?.account && each.asset === shown.asset;
          return (
            <li key={`${each.account} ${each.asset}`} className="border-t border-line first:border-t-0">
              <button
                type="button"
                aria-pressed={isShown}
                onClick={() => onShow(each)}
                className={clsx(
                  'flex min-h-10 w-full cursor-pointer items-center justify-between gap-3 px-4 py-1.5 text-start hover:bg-hover',
                  isShown && 'bg-subtle font-medium',
                )}
              >
                <span className="min-w-0">
                  {ACCOUNT_NAMES[each.account]}
                  {each.accounts > 1 && (
                    <span className="block text-xs font-normal text-muted">
                      <Count
                        n={each.accounts}
                        of={['invoice', 'invoices']}
                        plain="The statement leads to each"
                      />
                    </span>
                  )}
                </span>
                <span className="text-end tabular-nums">
                  <Balance amount={each.balance} />{' '}
                  <span className="text-xs font-normal text-muted">{each.asset}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
