import type { CycleAction } from '@copydesk/contract/pools';
import { useState } from 'react';
import { ChatText } from '../../../ui/figures/chat-text.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import type { HarvestProgress, PooledAccount } from '../pools-queries.ts';
import { reasonWords } from '../reason-texts.ts';
import { ActDialog } from './act-dialog.tsx';
import { ACTS, waitWords } from './act-texts.ts';
import { foreignWords } from './progress-texts.ts';
import { ResolutionDialog } from './resolution-dialog.tsx';

const MAIN: readonly CycleAction[] = [
  'start',
  'stop',
  'approve',
  'confirm_paused',
  'confirm_resumed',
  'retry',
  'remind_owner',
];

/** The acts that the cycle's state knows. One that would be refused now says why. */
export function CycleActs({ pool, progress }: { pool: PooledAccount; progress: HarvestProgress }) {
  const [action, setAction] = useState<CycleAction | null>(null);
  const [isResolving, setResolving] = useState(false);
  const { actions, valuation, evidence, proposal, owner } = progress;
  const { status } = pool.current_harvest_cycle;
  const canPropose = status === 'failed' || actions.some((each) => each.refusal === 'second_person_required');
  const refusals = actions.filter(({ refusal }) => refusal !== null);
  if (actions.length === 0 && !canPropose) return null;
  return (
    <div className="border-t border-line py-3">
      <div className="flex flex-wrap gap-1.5">
        {actions.map(({ action: each, refusal }) => (
          <Button
            key={each}
            look={MAIN.includes(each) ? 'primary' : 'danger'}
            disabled={refusal !== null}
            onClick={() => setAction(each)}
          >
            {ACTS[each].label}
          </Button>
        ))}
        {canPropose && (
          <Button onClick={() => setResolving(true)}>
            {proposal ? 'Review resolution' : 'Propose resolution'}
          </Button>
        )}
      </div>
      {refusals.length > 0 && (
        <ul className="mt-2 space-y-0.5 text-xs text-muted">
          {refusals.map(({ action: each, refusal }) => (
            <li key={each}>
              {ACTS[each].label}: {refusal && waitWords(refusal)}
            </li>
          ))}
        </ul>
      )}
      {action && (
        <ActDialog
          pool={pool}
          action={action}
          evidenceId={action === 'approve' ? evidence?.id : undefined}
          onClose={() => setAction(null)}
        >
          {action === 'remind_owner' && owner.reminder && (
            <div className="mt-3 max-h-72 overflow-y-auto">
              <ChatText isPlain lang={owner.reminder.language}>
                {owner.reminder.text}
              </ChatText>
            </div>
          )}
          {action === 'approve' && valuation && (
            <Facts className="mt-3">
              <Fact label="Result">
                <Money as="exact" amount={valuation.result} isSigned />
              </Fact>
              <Fact label="Virtual balances">
                <Money as="exact" amount={pool.total_virtual_balance} />
              </Fact>
              {Number(valuation.uncovered) > 0 && (
                <Fact label="Not covered by anything">
                  <Money as="exact" amount={valuation.uncovered} />
                </Fact>
              )}
              <Fact label="Why it waits">
                {reasonWords(valuation.reasons.join(', '))} {foreignWords(valuation)}
              </Fact>
            </Facts>
          )}
        </ActDialog>
      )}
      {isResolving && (
        <ResolutionDialog pool={pool} proposal={proposal} onClose={() => setResolving(false)} />
      )}
    </div>
  );
}
