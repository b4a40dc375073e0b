import { call } from '../../../lib/api/api.ts';
import { serverMessage } from '../../../lib/api/api-error.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { type ListedProvider, providersKeys } from '../providers-queries.ts';

const TEXTS = {
  on: 'The next run invoices its traders for every profitable position that was closed without an invoice, also during the time without invoicing.',
  off: 'Runs create no invoices for its traders until it is enabled again. Open invoices stay due, and what they earn meanwhile is invoiced later. Pools that are harvested meanwhile charge their members no fee.',
};

/** Asks before invoices of a provider are switched on or off. */
export function InvoicingDialog({ provider, onClose }: { provider: ListedProvider; onClose(): void }) {
  const { id, display_name } = provider;
  const isEnabled = !provider.invoicing_enabled;
  const change = useAct({
    send: (keyOf) => {
      const body = { invoicing_enabled: isEnabled };
      const idempotencyKey = keyOf({ id, ...body });
      return call('PATCH /api/providers/{id}/invoicing', { params: { id }, body, idempotencyKey });
    },
    done: () => ({
      title: `Invoicing ${isEnabled ? 'enabled' : 'disabled'} successfully`,
      text: display_name,
    }),
    refusal,
    reads: providersKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`${isEnabled ? 'Enable' : 'Disable'} invoicing of ${display_name}`}
      text={isEnabled ? TEXTS.on : TEXTS.off}
      confirm={isEnabled ? 'Enable invoicing' : 'Disable invoicing'}
      busy="Saving..."
      isDanger={!isEnabled}
      {...change}
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
