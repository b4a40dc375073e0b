import { type FailureReason, resolutionsOf } from '@copydesk/domain/pools';
import { type ReactNode, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { EvidenceField } from '../evidence-field.tsx';
import { poolsKeys } from '../pools-keys.ts';
import type { HarvestProgress, PooledAccount } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { RESOLUTION_WORDS } from './act-texts.ts';
import { useOpenedCycle } from './use-opened-cycle.ts';

type Kind = keyof typeof RESOLUTION_WORDS;

interface ResolutionDialogProps {
  pool: PooledAccount;
  proposal: HarvestProgress['proposal'];
  onClose(): void;
}

/**
 * One super admin proposes how a cycle goes on, with evidence; another one confirms it, or proposes something
 * else. It keeps the proposal that it opened with: a newer one is announced, and never swapped in under a
 * click.
 */
export function ResolutionDialog({ pool, proposal, onClose }: ResolutionDialogProps) {
  const [opened] = useState(proposal);
  const [isReplacing, setReplacing] = useState(false);
  const isOther = (proposal?.id ?? null) !== (opened?.id ?? null);
  const notice = isOther ? <Meanwhile proposal={proposal} /> : null;
  return opened && !isReplacing ? (
    <ConfirmDialog pool={pool} proposal={opened} onReplace={() => setReplacing(true)} onClose={onClose}>
      {notice}
    </ConfirmDialog>
  ) : (
    <ProposeDialog pool={pool} onClose={onClose}>
      {notice}
    </ProposeDialog>
  );
}

function Meanwhile({ proposal }: Pick<ResolutionDialogProps, 'proposal'>) {
  return (
    <p role="status" className="mt-3 rounded-md border border-line bg-subtle px-3 py-2">
      {proposal === null
        ? 'The proposal has ended meanwhile.'
        : `${proposal.requested_by} has proposed meanwhile: ${RESOLUTION_WORDS[proposal.kind]}. Close this to review it; a proposal of yours replaces it.`}
    </p>
  );
}

/** The ways in which a cycle in this state may go on. */
function waysOf({ status, step, reason }: PooledAccount['current_harvest_cycle']): {
  kinds: readonly Kind[];
  failsAgain: Kind | null;
} {
  if (status !== 'failed') return { kinds: ['abort'], failsAgain: null };
  return resolutionsOf(step, reason as FailureReason | null);
}

/** One way needs no choice. Of several none is chosen before: each moves money in another way. */
export function firstWayOf(cycle: PooledAccount['current_harvest_cycle']): Kind | '' {
  const { kinds } = waysOf(cycle);
  return kinds.length === 1 ? (kinds[0] as Kind) : '';
}

export function WayField({ cycle }: { cycle: PooledAccount['current_harvest_cycle'] }) {
  const { kinds, failsAgain } = waysOf(cycle);
  const ways = kinds.map((each) => ({
    value: each,
    label: `${RESOLUTION_WORDS[each]}${each === failsAgain ? ' (it will fail again)' : ''}`,
  }));
  return (
    <SelectField
      label="How it goes on"
      name="kind"
      options={kinds.length > 1 ? [{ value: '', label: 'Choose...' }, ...ways] : ways}
    />
  );
}

function ProposeDialog({
  pool,
  onClose,
  children,
}: Pick<ResolutionDialogProps, 'pool' | 'onClose'> & { children: ReactNode }) {
  const cycle = useOpenedCycle(pool);
  const form = useDialogForm({
    values: { kind: firstWayOf(cycle), evidence: '' },
    findErrors: ({ kind }) => (kind === '' ? { kind: 'Choose how it goes on.' } : null),
    send: ({ kind, evidence }, keyOf) => {
      const params = { id: pool.id };
      const body = { kind: kind as Kind, evidence: evidence.trim(), version: cycle.version };
      const idempotencyKey = keyOf({ ...params, ...body });
      return call('POST /api/pooled-accounts/{id}/harvest/resolution', { params, body, idempotencyKey });
    },
    done: () => ({
      tone: 'neutral',
      title: 'Resolution proposed',
      text: 'Another super admin must confirm it.',
    }),
    reads: poolsKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Propose resolution"
      text="Another super admin must confirm it. Any change of the cycle ends the proposal."
      confirm="Propose"
      busy="Proposing..."
      onClose={onClose}
    >
      <WayField cycle={cycle} />
      <EvidenceField />
      {children}
    </FormDialog>
  );
}

interface ConfirmDialogProps extends Pick<ResolutionDialogProps, 'pool' | 'onClose'> {
  proposal: NonNullable<HarvestProgress['proposal']>;
  onReplace(): void;
  children: ReactNode;
}

function ConfirmDialog({ pool, proposal, onReplace, onClose, children }: ConfirmDialogProps) {
  const params = { id: pool.id, resolutionId: proposal.id };
  const act = usePoolAct({
    request: params,
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/harvest/resolution/{resolutionId}/confirm', {
        params,
        idempotencyKey,
      }),
    done: { title: 'Resolution confirmed', text: RESOLUTION_WORDS[proposal.kind] },
    onClose,
  });
  return (
    <AskDialog
      title="Review resolution"
      text={
        proposal.is_own
          ? 'You proposed it: another super admin must confirm it.'
          : 'Once you confirm it, it takes effect.'
      }
      confirm="Confirm resolution"
      busy="Confirming..."
      {...act}
    >
      <Facts className="mt-3">
        <Fact label="How it goes on">{RESOLUTION_WORDS[proposal.kind]}</Fact>
        <Fact label="Evidence">{proposal.evidence}</Fact>
        <Fact label="Proposed by">
          {proposal.requested_by}{' '}
          <span className="text-muted">
            · <When at={proposal.at} />
          </span>
        </Fact>
      </Facts>
      <p className="mt-2">
        <Button look="quiet" className="-ms-3" onClick={onReplace}>
          Propose something else
        </Button>
      </p>
      {children}
    </AskDialog>
  );
}
