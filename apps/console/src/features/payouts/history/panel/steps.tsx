import { clsx } from 'clsx';
import Circle from 'lucide-react/icons/circle';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleX from 'lucide-react/icons/circle-x';
import { TxLink } from '../../../../ui/figures/tx-link.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import type { PayoutDetail } from '../history-queries.ts';

type Step = PayoutDetail['steps'][number];

const WORDS: Record<Step['kind'], Record<Step['state'], string>> = {
  created: { done: 'Created', running: 'Created', waiting: 'Created', failed: 'Created' },
  consolidated: {
    done: 'Consolidated',
    running: 'Consolidating',
    waiting: 'Not consolidated yet',
    failed: 'Consolidation failed',
  },
  distributed: {
    done: 'Distributed',
    running: 'Distributing',
    waiting: 'Not distributed yet',
    failed: 'Distribution failed',
  },
};
const TRANSACTIONS = { created: '', consolidated: 'Consolidate', distributed: 'Distribute' } as const;
const ICONS = { done: CircleCheck, running: CircleDashed, waiting: Circle, failed: CircleX } as const;

/** The progress of a payout. */
export function Steps({ steps, explorerUrl }: { steps: readonly Step[]; explorerUrl: string }) {
  return (
    <ol aria-label="Steps" className="space-y-2">
      {steps.map(({ kind, state, transaction_hash, at }) => {
        const Icon = ICONS[state];
        return (
          <li key={kind} className="flex items-start gap-2">
            <Icon
              aria-hidden="true"
              className={clsx('mt-0.5 size-4 shrink-0', {
                'text-positive': state === 'done',
                'text-negative': state === 'failed',
                'text-muted': state === 'running' || state === 'waiting',
              })}
            />
            <span className="min-w-0 flex-1">
              <span className={clsx('block', state === 'waiting' && 'text-muted')}>{WORDS[kind][state]}</span>
              {transaction_hash && (
                <TxLink hash={transaction_hash} what={TRANSACTIONS[kind]} explorerUrl={explorerUrl} />
              )}
            </span>
            {at && <When at={at} className="shrink-0 text-xs leading-5 text-muted" />}
          </li>
        );
      })}
    </ol>
  );
}
