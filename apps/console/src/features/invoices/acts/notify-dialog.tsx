import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { type Invoice, invoicesKeys } from '../invoices-queries.ts';

/** Console spec, section 8. */
export const NO_TRADER = 'Unable to find trader information';
const SENT = 'Notification Sent';
const FAILED = 'Failed to send notification. Please try again.';

/** The server's own text for known refusals; any other error is a failure to send. */
function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return FAILED;
  if (error.status === 404 || error.code === 'trader_not_reachable') return NO_TRADER;
  return error.code === 'nothing_unpaid' ? error.message : FAILED;
}

interface NotifyDialogProps {
  trader: Invoice['trader'];
  onClose(): void;
}

/** Asks for confirmation before a message is sent to a trader. */
export function NotifyDialog({ trader, onClose }: NotifyDialogProps) {
  const client = useQueryClient();
  const { reference_number: reference } = trader;
  const whom = `${listName(trader)}${reference ? ` (${reference})` : ''}`;
  const once = useOnceKey();
  const notify = useMutation({
    mutationFn: () =>
      call('POST /api/invoices/trader/{id}/notify', {
        params: { id: trader.id },
        idempotencyKey: once.keyOf({ id: trader.id }),
      }),
    onError: once.failed,
    onSuccess: ({ message }) => {
      toast(
        message === SENT
          ? { tone: 'positive', title: SENT, text: `To ${whom}` }
          : { tone: 'neutral', title: `Queued for ${whom}`, text: message },
      );
      void client.invalidateQueries({ queryKey: invoicesKeys.details });
      onClose();
    },
  });
  return (
    <Dialog
      title="Notify of unpaid invoices"
      text={`Sends ${whom} a Telegram message about all unpaid invoices, in the trader's language.`}
      onClose={onClose}
    >
      <FormError message={notify.error ? failureText(notify.error) : null} />
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          aria-disabled={notify.isPending}
          onClick={() => !notify.isPending && notify.mutate()}
        >
          {notify.isPending ? 'Sending...' : 'Notify'}
        </Button>
      </div>
    </Dialog>
  );
}
