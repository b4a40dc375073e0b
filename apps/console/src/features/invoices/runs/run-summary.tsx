import type { LineOutcome } from '@copydesk/domain/invoices';
import { Facts } from '../../../ui/figures/fact.tsx';
import { FigureCard } from '../../../ui/figures/figure-card.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Progress } from '../../../ui/figures/progress.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { TRADERS, tradersWord } from './run-texts.ts';
import { isWorking, type LinesAnswer, type RunDetail } from './runs-queries.ts';

interface RunSummaryProps {
  run: RunDetail;
  sums: LinesAnswer['meta'] | undefined;
}

/** What a run invoices, or would, in five figures; each leads to its traders. */
export function RunSummary({ run, sums }: RunSummaryProps) {
  const here = (outcome: LineOutcome, more = {}) =>
    ({
      to: '/invoices/runs/$runId',
      params: { runId: run.id },
      search: { outcome, ...more },
      resetScroll: false,
    }) as const;
  const isDraft = run.state === 'draft' || run.state === 'preparing';
  const { outcomes, unreachable } = sums ?? {};
  const of = (outcome: LineOutcome) =>
    outcomes && <Count n={outcomes[outcome].traders} of={TRADERS} to={here(outcome)} />;
  // While it works, what was sent is fewer; a run from before traders were kept has none.
  const areKnown = !isWorking(run) && (run.invoices === 0 || outcomes?.invoice.traders !== 0);
  return (
    <>
      {isWorking(run) && <Working run={run} sums={sums} />}
      <Facts
        aria-label="What it invoices"
        className="grid grid-cols-1 divide-line rounded-lg border border-line bg-surface max-lg:divide-y sm:max-lg:grid-cols-2 lg:grid-cols-4 lg:divide-x"
      >
        <FigureCard
          label={run.state === 'discarded' ? 'Would have invoiced' : isDraft ? 'To invoice' : 'Invoiced'}
          note={
            <span>
              <Count
                n={run.invoices}
                of={INVOICES}
                plain="Its traders are listed below, with how many each"
              />{' '}
              {areKnown && <>to {of('invoice')}</>}
              {run.recalled > 0 && (
                <span className="block text-caution">
                  <Count n={run.recalled} plain="Each says so in its history" /> recalled:{' '}
                  <Money amount={run.recalled_amount} />
                </span>
              )}
            </span>
          }
        >
          <Money amount={run.amount} />
        </FigureCard>
        <FigureCard label="Left out by hand" note={of('excluded')}>
          {outcomes && <Money amount={outcomes.excluded.amount} />}
        </FigureCard>
        <FigureCard label="Below the minimum, carried" note={of('carried')}>
          <Money amount={run.carried_amount} />
        </FigureCard>
        <FigureCard
          label="Not invoiced"
          note={
            isDraft
              ? unreachable !== undefined && (
                  <span>
                    <Count
                      n={unreachable}
                      of={TRADERS}
                      to={here('invoice', { unreachable: 'true' })}
                      className={unreachable > 0 ? 'text-caution' : ''}
                    />{' '}
                    to invoice without a Telegram ID
                  </span>
                )
              : outcomes && <Messages run={run} />
          }
        >
          {outcomes && <Count n={outcomes.left_out.traders} to={here('left_out')} />}
        </FigureCard>
      </Facts>
      {run.previous && (
        <p className="text-xs text-muted tabular-nums">
          The run before it, <When at={run.previous.finished_at} />:{' '}
          <Count
            n={run.previous.invoices}
            of={INVOICES}
            to={{ to: '/invoices/runs/$runId', params: { runId: run.previous.id } }}
          />
          , <Money amount={run.previous.amount} />
        </p>
      )}
    </>
  );
}

const INVOICES = ['invoice', 'invoices'] as const;

/** What became of the messages about its invoices. */
function Messages({ run: { id, state, invoices, messages } }: Pick<RunSummaryProps, 'run'>) {
  const { waiting, failed } = messages;
  const those = (outcome: 'waiting' | 'not_delivered') =>
    ({ to: '/messages', search: { run: id, outcome } }) as const;
  if (waiting + failed === 0)
    return state === 'done' && invoices > 0 ? 'All messages were sent' : 'No messages';
  return (
    <span>
      {failed > 0 && (
        <>
          <Count n={failed} of={MESSAGES} to={those('not_delivered')} className="text-negative" /> did not
          arrive
        </>
      )}
      {failed > 0 && waiting > 0 && ', '}
      {waiting > 0 && (
        <>
          <Count n={waiting} of={MESSAGES} to={those('waiting')} /> on {waiting === 1 ? 'its' : 'their'} way
        </>
      )}
    </span>
  );
}

const MESSAGES = ['message', 'messages'] as const;

function Working({ run, sums }: RunSummaryProps) {
  const all = run.state === 'sending' && sums ? sums.outcomes.invoice.traders : null;
  const said = run.state === 'preparing' ? 'The draft is prepared' : 'Invoicing is running';
  const far = all === null ? tradersWord(run.traders) : `${tradersWord(run.traders)} of ${tradersWord(all)}`;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface px-4 py-2.5">
      <span
        aria-hidden="true"
        className="size-4 animate-spin rounded-full border-2 border-line-strong border-t-accent"
      />
      <p role="status" className="font-medium">
        {said}...
      </p>
      <span className="text-muted tabular-nums">{far}</span>
      {all !== null && <Progress label={said} value={run.traders} max={all} className="h-1 w-40" />}
    </div>
  );
}
