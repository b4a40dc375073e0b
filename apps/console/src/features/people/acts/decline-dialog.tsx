import { call } from '../../../lib/api.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
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
      text="The person is not notified, and does not appear here again by asking once more. An invitation stays possible."
      confirm="Decline"
      busy="Declining..."
      isDanger
      {...decline}
      onClose={onClose}
    />
  );
}
