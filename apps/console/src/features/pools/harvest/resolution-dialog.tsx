import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { readTime } from '../../../lib/read-time.ts';
import { Fact } from '../../../ui/figures/fact.tsx';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { EvidenceField } from '../../../ui/forms/evidence-field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import type { HarvestProgress, PooledAccount } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { RESOLUTION_WORDS } from './act-words.ts';

type Kind = keyof typeof RESOLUTION_WORDS;

interface ResolutionDialogProps {
  pool: PooledAccount;
  proposal: HarvestProgress['proposal'];
  onClose(): void;
}

/** One super admin proposes how a cycle goes on, with evidence; another one confirms it, or proposes something else. */
export function ResolutionDialog({ pool, proposal, onClose }: ResolutionDialogProps) {
  const [isReplacing, setReplacing] = useState(false);
  return proposal && !isReplacing ? (
    <ConfirmDialog pool={pool} proposal={proposal} onReplace={() => setReplacing(true)} onClose={onClose} />
  ) : (
    <ProposeDialog pool={pool} onClose={onClose} />
  );
}

/** The ways in which a cycle in this state may go on. */
function kindsOf({ status, step }: PooledAccount['current_harvest_cycle']): Kind[] {
  if (status !== 'failed') return ['abort'];
  return step === 'crediting' ? ['repeat', 'funding_bounced', 'funding_lost'] : ['repeat'];
}

function ProposeDialog({ pool, onClose }: Pick<ResolutionDialogProps, 'pool' | 'onClose'>) {
  const kinds = kindsOf(pool.current_harvest_cycle);
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'repeat');
  const [evidence, setEvidence] = useState('');
  const params = { id: pool.id };
  const body = { kind, evidence: evidence.trim(), version: pool.current_harvest_cycle.version };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/harvest/resolution', { params, body, idempotencyKey }),
    done: { title: 'Resolution proposed', text: 'Another super admin must confirm it.' },
    onClose,
  });
  return (
    <AskDialog
      title="Propose Resolution"
      text="Another super admin must confirm it. Any change of the cycle ends the proposal."
      confirm="Propose"
      busy="Proposing..."
      {...act}
    >
      <div className="mt-3 space-y-3">
        <SelectField
          label="How it goes on"
          value={kind}
          options={kinds.map((each) => ({ value: each, label: RESOLUTION_WORDS[each] }))}
          onChange={({ target }) => setKind(target.value as Kind)}
        />
        <EvidenceField value={evidence} onChange={setEvidence} />
      </div>
    </AskDialog>
  );
}

interface ConfirmDialogProps extends Pick<ResolutionDialogProps, 'pool' | 'onClose'> {
  proposal: NonNullable<HarvestProgress['proposal']>;
  onReplace(): void;
}

function ConfirmDialog({ pool, proposal, onReplace, onClose }: ConfirmDialogProps) {
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
      title="Review Resolution"
      text={
        proposal.is_own
          ? 'You proposed it: another super admin must confirm it.'
          : 'Once you confirm it, it takes effect.'
      }
      confirm="Confirm Resolution"
      busy="Confirming..."
      {...act}
    >
      <dl className="mt-3">
        <Fact label="How it goes on">{RESOLUTION_WORDS[proposal.kind]}</Fact>
        <Fact label="Evidence">{proposal.evidence}</Fact>
        <Fact label="Proposed by">
          {proposal.requested_by} <span className="text-muted">· {readTime(proposal.at)}</span>
        </Fact>
      </dl>
      <p className="mt-2">
        <Button look="quiet" className="-ml-3" onClick={onReplace}>
          Propose something else
        </Button>
      </p>
    </AskDialog>
  );
}
