import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { exactUsdt } from '../../../lib/format/payout-texts.ts';
import { readTime } from '../../../lib/format/read-time.ts';
import { Fact } from '../../../ui/figures/fact.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { EvidenceField } from '../../../ui/form/evidence-field.tsx';
import type { PooledAccount, PoolMovement } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';

interface LinkDialogProps {
  pool: PooledAccount;
  movement: PoolMovement;
  arrival: NonNullable<PoolMovement['arrival']>;
  onClose(): void;
}

/** Proposes that an arrival is a withdrawal which the exchange lists. Another super admin confirms it. */
export function LinkDialog({ pool, movement, arrival, onClose }: LinkDialogProps) {
  const [evidence, setEvidence] = useState('');
  const params = { id: pool.id, arrivalId: arrival.id };
  const body = {
    kind: 'is_return' as const,
    amount: arrival.amount,
    evidence: evidence.trim(),
    movement_id: movement.id,
  };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions', { params, body, idempotencyKey }),
    done: { title: 'Link proposed', text: 'Another super admin must confirm it.' },
    onClose,
  });
  return (
    <AskDialog
      title="Link withdrawal to arrival"
      text="The arrival counts as returned from Bybit once another super admin confirms it."
      confirm="Propose link"
      busy="Proposing..."
      {...act}
    >
      <dl className="mt-3">
        <Fact label="Withdrawal">
          {exactUsdt(movement.amount)} <span className="text-muted">· {readTime(movement.at)}</span>
        </Fact>
        <Fact label="To">
          <span className="font-mono text-sm break-all">{movement.to_address}</span>
        </Fact>
        <Fact label="Arrival">
          {exactUsdt(arrival.amount)} <span className="text-muted">· {readTime(arrival.at)}</span>
        </Fact>
        <Fact label="From">
          <span className="font-mono text-sm break-all">{arrival.from_address}</span>
        </Fact>
      </dl>
      <div className="mt-3">
        <EvidenceField value={evidence} onChange={setEvidence} />
      </div>
    </AskDialog>
  );
}
