import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import type { Waiting } from '../people-queries.ts';
import { usePersonAct } from './use-person-act.ts';

/** Declines a request for access. */
export function DeclineDialog({ entry, onClose }: { entry: Waiting; onClose(): void }) {
  const decline = usePersonAct({
    send: () => call('POST /api/waitlist/{id}/decline', { params: { id: entry.id } }),
    done: () => ({ title: 'Request declined', text: entry.email }),
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Decline ${entry.name}`}
      text="The person is not notified, and a second request from this address does not appear here. You can still invite them."
      confirm="Decline"
      busy="Declining..."
      isDanger
      {...decline}
      onClose={onClose}
    />
  );
}
