import { call } from '../../../lib/api/api.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { EvidenceField } from '../evidence-field.tsx';
import { poolsKeys } from '../pools-keys.ts';
import type { PooledAccount, PoolMovement } from '../pools-queries.ts';

interface LinkDialogProps {
  pool: PooledAccount;
  movement: PoolMovement;
  arrival: NonNullable<PoolMovement['arrival']>;
  onClose(): void;
}

/** Proposes that an arrival is a withdrawal which the exchange lists. Another super admin confirms it. */
export function LinkDialog({ pool, movement, arrival, onClose }: LinkDialogProps) {
  const form = useDialogForm({
    values: { evidence: '' },
    send: ({ evidence }, keyOf) => {
      const params = { id: pool.id, arrivalId: arrival.id };
      const body = {
        kind: 'is_return' as const,
        amount: arrival.amount,
        evidence: evidence.trim(),
        movement_id: movement.id,
      };
      return call('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions', {
        params,
        body,
        idempotencyKey: keyOf({ ...params, ...body }),
      });
    },
    done: () => ({ tone: 'neutral', title: 'Link proposed', text: 'Another super admin must confirm it.' }),
    reads: poolsKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Link withdrawal to arrival"
      text="The arrival counts as returned from Bybit once another super admin confirms it."
      confirm="Propose link"
      busy="Proposing..."
      onClose={onClose}
    >
      <Facts className="mt-3">
        <Fact label="Withdrawal">
          <Money amount={movement.amount} as="exact" />{' '}
          <span className="text-muted">
            · <When at={movement.at} />
          </span>
        </Fact>
        <Fact label="To">
          <WholeAddress address={movement.to_address} />
        </Fact>
        <Fact label="Arrival">
          <Money amount={arrival.amount} as="exact" />{' '}
          <span className="text-muted">
            · <When at={arrival.at} />
          </span>
        </Fact>
        <Fact label="From">
          <WholeAddress address={arrival.from_address} />
        </Fact>
      </Facts>
      <EvidenceField />
    </FormDialog>
  );
}
