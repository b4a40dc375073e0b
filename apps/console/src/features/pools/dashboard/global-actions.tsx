import { GLOBAL_EFFECTS, type RunAction } from '@copydesk/domain/pools';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { poolsKeys } from '../pools-keys.ts';
import type { GlobalHarvest, PooledAccount } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { globalRefusalWords } from './global-refusal-texts.ts';

const WORDS: Record<RunAction, { title: string; text: string; busy: string; done: string }> = {
  start: {
    title: 'Start Global Harvest',
    text: 'This starts the harvest of all pools that trade, or of none of them:',
    busy: 'Starting...',
    done: 'Global harvest starting',
  },
  stop: {
    title: 'Stop Global Harvest',
    text: 'This stops the harvest of all open pools, or of none of them:',
    busy: 'Stopping...',
    done: 'Global harvest stopping',
  },
  retry: {
    title: 'Retry failed pools',
    text: 'The failed step of each of these pools is done again. Nothing is sent twice.',
    busy: 'Retrying...',
    done: 'Failed pools retried',
  },
};

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

interface GlobalActionsProps {
  harvest: GlobalHarvest;
  pools: readonly PooledAccount[];
}

/** The buttons that start and stop all pools (super-admin spec, sections 2 and 4). */
export function GlobalActions({ harvest, pools }: GlobalActionsProps) {
  const [action, setAction] = useState<RunAction | null>(null);
  const { actions, last_run: run } = harvest;
  const [isClosing, setClosing] = useState(false);
  const canRetry = run?.state === 'done_with_failures' && (harvest.counts.failed ?? 0) > 0;
  return (
    <>
      {actions.includes('start') && (
        <Button look="primary" onClick={() => setAction('start')}>
          {WORDS.start.title}
        </Button>
      )}
      {actions.includes('stop') && (
        <Button look={actions.includes('start') ? 'outline' : 'primary'} onClick={() => setAction('stop')}>
          {WORDS.stop.title}
        </Button>
      )}
      {pools.some(isGateOpen) && <Button onClick={() => setClosing(true)}>{CLOSE_GATES}</Button>}
      {canRetry && <Button onClick={() => setAction('retry')}>{WORDS.retry.title}</Button>}
      {action && <RunDialog action={action} harvest={harvest} onClose={() => setAction(null)} />}
      {isClosing && <CloseGatesDialog onClose={() => setClosing(false)} />}
    </>
  );
}

const CLOSE_GATES = 'Close all gates';

const isGateOpen = ({ current_harvest_cycle: { status, step } }: PooledAccount) =>
  status === 'harvesting' && step === 'open';

/** Lets what is under way end, so that a global stop can follow. */
function CloseGatesDialog({ onClose }: { onClose(): void }) {
  const act = usePoolAct({
    request: { action: 'close_gates' },
    send: (idempotencyKey) => call('POST /api/pooled-accounts/global/close-gates', { idempotencyKey }),
    done: ({ data: { pools } }) => ({
      title: pools === 1 ? 'Gate closed' : 'Gates closed',
      text: pools === 1 ? '1 pool' : `${pools} pools`,
    }),
    onClose,
  });
  return (
    <AskDialog
      title={CLOSE_GATES}
      text="No new deposit or withdrawal begins in any open pool. Those under way are completed. No gate can be opened again before the next harvest of its pool."
      confirm={CLOSE_GATES}
      busy="Closing..."
      isDanger
      {...act}
    />
  );
}

interface RunDialogProps {
  action: RunAction;
  harvest: GlobalHarvest;
  onClose(): void;
}

/** Asks for confirmation. A refusal names every pool that blocks it, and changes nothing. */
function RunDialog({ action, harvest, onClose }: RunDialogProps) {
  // The last run when the dialog opened. A run that began while its answer was lost must not change the key
  // of a repeat.
  const [after] = useState(harvest.last_run?.id);
  const { title, text, busy, done } = WORDS[action];
  const run = useAct({
    send: (keyOf) =>
      call('POST /api/pooled-accounts/global/harvest', {
        body: { action },
        idempotencyKey: keyOf({ action, after }),
      }),
    done: ({ data: { pools } }) => ({
      tone: 'neutral',
      title: done,
      text: pools === 1 ? '1 pool' : `${pools} pools`,
    }),
    refusal: globalRefusalWords,
    reads: poolsKeys.all,
    onDone: onClose,
  });
  const details = run.failure instanceof ApiError ? run.failure.details : [];
  const failed = harvest.last_run?.failed ?? [];
  return (
    <AskDialog title={title} text={text} confirm={title} busy={busy} {...run} onClose={onClose}>
      <ul className="mt-2 list-disc space-y-1 ps-5 text-muted">
        {action === 'retry'
          ? failed.map(({ pool_id, community }) => <li key={pool_id}>{community}</li>)
          : GLOBAL_EFFECTS[action].map((effect) => <li key={effect}>{sentence(effect)}</li>)}
      </ul>
      {details.length > 0 && (
        <ul aria-label="Pools that stand in the way" className="mt-3 space-y-1 border-t border-line pt-3">
          {details.map(({ path, message }) => (
            <li key={path}>
              <Link
                to="/pools/$poolId"
                params={{ poolId: path }}
                className="rounded text-accent hover:underline"
              >
                {message}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </AskDialog>
  );
}
