import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type SetupStep, setupQuery } from './setup-query.ts';
import { STATE_WORDS, STEP_SCREENS, STEP_TITLES } from './step-texts.ts';

/**
 * What the installation needs before its first payout. Steps that are done are hidden until the reader asks
 * for them.
 */
export function SetupPanel() {
  const { data, error, refetch } = useQuery(setupQuery);
  const [showsAll, setShowsAll] = useState(false);
  const open = data?.filter(({ state }) => state !== 'done') ?? [];
  const shown = showsAll ? (data ?? []) : open;
  return (
    <Panel
      title="Set-up"
      note={data && `${data.length - open.length} of ${data.length} steps are done`}
      actions={
        data && (
          <Button className="h-7!" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Hide done' : 'Show all'}
          </Button>
        )
      }
      flush
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The set-up could not be checked', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<div aria-hidden="true" className="skeleton m-4 h-16" />}
        isEmpty={shown.length === 0}
        empty={<p className="px-4 py-3 text-muted">Everything is set up and works.</p>}
      >
        <ul aria-label="Steps of the set-up">
          {shown.map((step) => (
            <Step key={step.step} {...step} />
          ))}
        </ul>
      </QueryState>
    </Panel>
  );
}

function Step({ step, state, text }: SetupStep) {
  const { label, tone } = STATE_WORDS[state];
  return (
    <li className="flex items-start gap-x-4 border-t border-line px-4 py-2.5 first:border-t-0 max-sm:flex-wrap">
      <span className="w-44 shrink-0 font-medium max-sm:flex-1">
        {step in STEP_SCREENS ? (
          <Link
            to={STEP_SCREENS[step as keyof typeof STEP_SCREENS]}
            className="text-accent underline-offset-2 hover:underline"
          >
            {STEP_TITLES[step]}
          </Link>
        ) : (
          STEP_TITLES[step]
        )}
      </span>
      <span className="w-28 shrink-0 max-sm:w-auto">
        <State tone={tone}>{label}</State>
      </span>
      <span className="min-w-0 flex-1 break-words text-muted max-sm:basis-full">{text}</span>
    </li>
  );
}
