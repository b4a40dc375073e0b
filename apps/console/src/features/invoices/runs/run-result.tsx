import { shortId } from '@copydesk/domain/money';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { readAnew } from '../acts/use-act.ts';
import { type Run, runQuery } from './runs-queries.ts';

const REASONS = {
  split_exceeds_invoice: 'The shares exceed the invoice',
  no_deposit_address: 'No deposit address',
  failed: 'Something went wrong',
  unknown_profit: 'Some profit has no known USD value and was not invoiced',
} as const;

function messagesWords({ state, invoices, messages: { waiting, failed } }: Run): string {
  const parts = [
    failed > 0 && `${formatCount(failed)} did not arrive`,
    waiting > 0 && `${formatCount(waiting)} on their way`,
  ].filter((part) => part !== false);
  if (parts.length > 0) return parts.join(', ');
  return state === 'done' && invoices > 0 ? 'All sent' : 'None';
}

/** The progress of a run, then its result. */
export function RunResult({ started }: { started: Run }) {
  const client = useQueryClient();
  const { data, error } = useQuery(runQuery(started.id));
  const run = data ?? started;
  const isDone = run.state === 'done';
  useEffect(() => {
    if (isDone) readAnew(client);
  }, [isDone, client]);
  return (
    <>
      <p role="status" className="flex items-center gap-2 font-medium">
        {!isDone && (
          <span
            aria-hidden="true"
            className="size-4 animate-spin rounded-full border-2 border-line-strong border-t-accent"
          />
        )}
        {isDone ? 'Invoicing is complete' : 'Invoicing is running...'}
      </p>
      <Facts className="mt-2" look="boxed">
        <Fact label="Traders">
          <Count n={run.traders} plain="A run keeps numbers, not its rows" />
        </Fact>
        <Fact label="Positions">
          <Count n={run.positions} plain="A run keeps numbers, not its rows" />
        </Fact>
        <Fact label="Invoices made">
          <Count n={run.invoices} plain="A run keeps numbers, not its rows" />
        </Fact>
        <Fact label="Amount">
          <Money amount={run.amount} as="usd" />
        </Fact>
        <Fact label="Problems">
          <Count n={run.problem_count} plain="They are listed below" />
        </Fact>
        <Fact label="Messages">{messagesWords(run)}</Fact>
      </Facts>
      {data && data.problems.length > 0 && (
        <ul aria-label="Problems" className="mt-3 max-h-48 overflow-y-auto">
          {data.problems.map((problem) => (
            <li
              key={problem.trader_id}
              className="flex items-baseline justify-between gap-3 border-t border-line py-1.5"
            >
              <span className="shrink-0 font-mono text-sm">
                {problem.reference_number ?? shortId(problem.trader_id)}
              </span>
              <span className="text-end text-pretty text-negative">{REASONS[problem.reason]}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 empty:hidden">
        <FormError message={error ? `The progress could not be read: ${messageOf(error)}` : null} />
      </div>
    </>
  );
}
