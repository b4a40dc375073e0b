import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { useOnceKey } from '../../../lib/once-key.ts';
import { readTime } from '../../../lib/read-time.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Fact } from '../../../ui/figures/fact.tsx';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { type HarvestProgress, type PooledAccount, poolsKeys } from '../pools-queries.ts';
import { RESOLUTION_WORDS } from './act-words.ts';

type Kind = keyof typeof RESOLUTION_WORDS;

interface ResolutionDialogProps {
  pool: PooledAccount;
  proposal: HarvestProgress['proposal'];
  onClose(): void;
}

/** One super admin proposes how a cycle goes on, with evidence; another one confirms it. */
export function ResolutionDialog({ pool, proposal, onClose }: ResolutionDialogProps) {
  return proposal ? (
    <ConfirmDialog pool={pool} proposal={proposal} onClose={onClose} />
  ) : (
    <ProposeDialog pool={pool} onClose={onClose} />
  );
}

function ProposeDialog({ pool, onClose }: Pick<ResolutionDialogProps, 'pool' | 'onClose'>) {
  const { status, step, version } = pool.current_harvest_cycle;
  const kinds: Kind[] =
    status !== 'failed'
      ? ['abort']
      : step === 'crediting'
        ? ['repeat', 'funding_bounced', 'funding_lost']
        : ['repeat'];
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'repeat');
  const [evidence, setEvidence] = useState('');
  const client = useQueryClient();
  const once = useOnceKey();
  const propose = useMutation({
    mutationFn: () => {
      const body = { kind, evidence: evidence.trim(), version };
      return call('POST /api/pooled-accounts/{id}/harvest/resolution', {
        params: { id: pool.id },
        body,
        idempotencyKey: once.keyOf({ id: pool.id, ...body }),
      });
    },
    onSuccess: () => {
      toast({ tone: 'neutral', title: 'Resolution proposed', text: 'Another super admin must confirm it.' });
      onClose();
    },
    onError: once.failed,
    onSettled: () => client.invalidateQueries({ queryKey: poolsKeys.all }),
  });
  return (
    <AskDialog
      title="Propose Resolution"
      text="Another super admin must confirm it. Any change of the cycle ends the proposal."
      confirm="Propose"
      busy="Proposing..."
      isBusy={propose.isPending}
      error={propose.error ? messageOf(propose.error) : null}
      onConfirm={() => propose.mutate()}
      onClose={onClose}
    >
      <div className="mt-3 space-y-3">
        <SelectField
          label="How it goes on"
          value={kind}
          options={kinds.map((each) => ({ value: each, label: RESOLUTION_WORDS[each] }))}
          onChange={({ target }) => setKind(target.value as Kind)}
        />
        <TextField
          label="Evidence"
          name="evidence"
          hint="What you checked, and where. It is recorded in the audit trail"
          maxLength={200}
          autoComplete="off"
          value={evidence}
          onChange={({ target }) => setEvidence(target.value)}
        />
      </div>
    </AskDialog>
  );
}

function ConfirmDialog({
  pool,
  proposal,
  onClose,
}: Pick<ResolutionDialogProps, 'pool' | 'onClose'> & { proposal: NonNullable<HarvestProgress['proposal']> }) {
  const client = useQueryClient();
  const once = useOnceKey();
  const confirm = useMutation({
    mutationFn: () => {
      const params = { id: pool.id, resolutionId: proposal.id };
      return call('POST /api/pooled-accounts/{id}/harvest/resolution/{resolutionId}/confirm', {
        params,
        idempotencyKey: once.keyOf(params),
      });
    },
    onSuccess: () => {
      toast({ tone: 'neutral', title: 'Resolution confirmed', text: RESOLUTION_WORDS[proposal.kind] });
      onClose();
    },
    onError: once.failed,
    onSettled: () => client.invalidateQueries({ queryKey: poolsKeys.all }),
  });
  return (
    <AskDialog
      title="Review Resolution"
      text={
        proposal.is_own
          ? 'You proposed it: another super admin must confirm it.'
          : 'Once you confirm it, it takes effect.'
      }
      confirm="Confirm Resolution"
      busy="Confirming..."
      isBusy={confirm.isPending}
      error={confirm.error ? messageOf(confirm.error) : null}
      onConfirm={() => confirm.mutate()}
      onClose={onClose}
    >
      <dl className="mt-3">
        <Fact label="How it goes on">{RESOLUTION_WORDS[proposal.kind]}</Fact>
        <Fact label="Evidence">{proposal.evidence}</Fact>
        <Fact label="Proposed by">
          {proposal.requested_by} <span className="text-muted">· {readTime(proposal.at)}</span>
        </Fact>
      </dl>
    </AskDialog>
  );
}
