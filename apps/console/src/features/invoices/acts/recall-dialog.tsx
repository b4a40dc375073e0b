import { TYPED_COUNT_ABOVE_ROWS } from '@copydesk/domain/bulk';
import type { RecallRefusal } from '@copydesk/domain/invoices';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../../ui/form/reason-field.tsx';
import { findCountError, TypedCount } from '../../../ui/form/typed-count.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import { invoicesWord, WAITS_FOR_OTHER } from './act-texts.ts';
import { readInvoicesAgain } from './use-act.ts';

/** What stays, by why, after a number of invoices. */
const STAYS: Record<RecallRefusal, string> = {
  other_kind: 'Orders with a bot or fees of a pool',
  cancelled: 'Recalled or cancelled already',
  paid: 'Paid, in part at least',
  archived: 'Archived',
  imported: 'Imported, without known positions',
  corrected: 'With a position that the exchange corrected',
  payment_on_its_way: 'With a payment on its way',
};

interface RecallDialogProps {
  /** One invoice, or all of a run. */
  of: { invoice_ids: string[] } | { run_id: string };
  title: string;
  onClose(): void;
}

/** Asks before invoices are recalled: what is, what stays and why. */
export function RecallDialog({ of, title, onClose }: RecallDialogProps) {
  const client = useQueryClient();
  const { data: plan, error } = useQuery({
    // Apart from the lists: it is not read again by the act itself.
    queryKey: ['recall', of],
    queryFn: async ({ signal }) =>
      (await call('POST /api/invoices/admin/preview', { body: { act: 'recall', ...of }, signal })).data,
    // What an act is about to do is read when it is asked for.
    gcTime: 0,
  });
  const n = plan?.changing ?? 0;
  const typed = n > TYPED_COUNT_ABOVE_ROWS ? n : null;
  const form = useDialogForm({
    values: { reason: '', count: '' },
    findErrors: ({ reason, count }) => ({
      ...(reason.trim() === '' && { reason: 'Enter a reason' }),
      ...findCountError(count, typed),
    }),
    send: ({ reason }, keyOf) => {
      const body = { ...of, reason: reason.trim(), expected_count: plan?.selected ?? 0 };
      return call('POST /api/invoices/admin/recall', { body, idempotencyKey: keyOf(body) });
    },
    done: ({ data }) =>
      'state' in data
        ? { tone: 'neutral', ...WAITS_FOR_OTHER }
        : { title: `${invoicesWord(data.changed)} recalled`, text: 'What they charged is due again' },
    reads: invoicesKeys.all,
    onDone: () => {
      readInvoicesAgain(client);
      onClose();
    },
  });
  return (
    <FormDialog
      form={plan ? form : { ...form, error: error ? recallError(error) : null }}
      title={title}
      text="They are cancelled, and no payment is expected for them. What they charged comes with the next invoicing run. Traders who were notified get a message that asks them not to pay."
      confirm={plan ? `Recall ${invoicesWord(n)}` : 'Recall'}
      busy="Recalling..."
      leave="Cancel"
      isDanger
      isBlocked={n === 0}
      onClose={onClose}
    >
      {plan && (
        <Facts look="boxed">
          <Fact label="To recall">
            <Count n={n} of={['invoice', 'invoices']} plain="They are listed where this was asked" />
          </Fact>
          {plan.left_out.map(({ reason, invoices }) => (
            <Fact key={reason} label={reasonText(reason)}>
              <Count
                n={invoices}
                of={['invoice stays', 'invoices stay']}
                plain="They are listed where this was asked"
              />
            </Fact>
          ))}
          <Fact label="No longer asked for" isTotal>
            <Money amount={plan.sum} />
          </Fact>
        </Facts>
      )}
      <ReasonField hint="It is recorded in the audit trail. Traders do not see it." />
      {typed !== null && <TypedCount wanted={typed} of="invoices" />}
    </FormDialog>
  );
}

/** Of a newer server: as it says. */
const reasonText = (reason: RecallRefusal) => STAYS[reason] ?? reason;

const recallError = (error: Error) =>
  error instanceof ApiError && error.status === 404
    ? 'None of its invoices is known by this run'
    : messageOf(error);
