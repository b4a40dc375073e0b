import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import type { Invoice } from '../invoices-queries.ts';

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
  trader: Pick<Invoice['trader'], 'id' | 'reference_number' | 'telegram_username' | 'name'>;
  onClose(): void;
}

/** Asks for confirmation before a message is sent to a trader. */
export function NotifyDialog({ trader, onClose }: NotifyDialogProps) {
  const { reference_number: reference } = trader;
  const whom = `${listName(trader)}${reference ? ` (${reference})` : ''}`;
  const notify = useAct({
    send: (keyOf) =>
      call('POST /api/invoices/trader/{id}/notify', {
        params: { id: trader.id },
        idempotencyKey: keyOf({ id: trader.id }),
      }),
    done: ({ message }) =>
      message === SENT
        ? { title: SENT, text: `To ${whom}` }
        : { tone: 'neutral', title: `Queued for ${whom}`, text: message },
    refusal: failureText,
    reads: invoicesKeys.details,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Notify of unpaid invoices"
      text={`Sends ${whom} a Telegram message about all unpaid invoices, in the trader's language.`}
      confirm="Notify"
      busy="Sending..."
      leave="Cancel"
      {...notify}
      onClose={onClose}
    />
  );
}
