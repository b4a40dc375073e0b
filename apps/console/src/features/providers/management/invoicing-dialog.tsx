import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { serverMessage } from '../../../lib/api/api-error.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { type ListedProvider, providersKeys } from '../providers-queries.ts';

const TEXTS = {
  on: 'The next run invoices its traders for every profitable position that was closed without an invoice, also during the time without invoicing.',
  off: 'Runs create no invoices for its traders until it is enabled again. Open invoices stay due, and what they earn meanwhile is invoiced later. Pools that are harvested meanwhile charge their members no fee.',
};

/** Asks before invoices of a provider are switched on or off. */
export function InvoicingDialog({ provider, onClose }: { provider: ListedProvider; onClose(): void }) {
  const client = useQueryClient();
  const once = useOnceKey();
  const { id, display_name } = provider;
  const isEnabled = !provider.invoicing_enabled;
  const change = useMutation({
    mutationFn: () => {
      const body = { invoicing_enabled: isEnabled };
      const idempotencyKey = once.keyOf({ id, ...body });
      return call('PATCH /api/providers/{id}/invoicing', { params: { id }, body, idempotencyKey });
    },
    onSuccess: () => {
      toast({
        tone: 'positive',
        title: `Invoicing ${isEnabled ? 'enabled' : 'disabled'} successfully`,
        text: display_name,
      });
      onClose();
    },
    onError: once.failed,
    onSettled: readAgain(client, providersKeys.all),
  });
  const { error } = change;
  return (
    <AskDialog
      title={`${isEnabled ? 'Enable' : 'Disable'} invoicing of ${display_name}`}
      text={isEnabled ? TEXTS.on : TEXTS.off}
      confirm={isEnabled ? 'Enable invoicing' : 'Disable invoicing'}
      busy="Saving..."
      isBusy={change.isPending}
      isDanger={!isEnabled}
      error={error ? refusal(error) : null}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}

/** The text of the spec, and the server's reason when it gives one (super-admin spec, section 8). */
function refusal(error: unknown): string {
  const reason = serverMessage(error);
  return reason
    ? `Failed to update invoicing status. ${reason}`
    : 'Failed to update provider invoicing status';
}
