import type { NoteSubject } from '@copydesk/domain/notes';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Button } from '../../ui/form/button.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { useSeen } from './note-dialogs.tsx';
import { NotesPanel } from './notes.tsx';
import type { Subject } from './notes-queries.ts';

const PLACES: Record<NoteSubject, { label: string; to(id: string): LinkProps }> = {
  trader: { label: 'Open trader', to: (traderId) => ({ to: '/trader/$traderId', params: { traderId } }) },
  invoice: {
    label: 'Open invoice',
    to: (invoiceId) => ({ to: '/invoices/$invoiceId', params: { invoiceId } }),
  },
  payout: { label: 'Open payout', to: (payout) => ({ to: '/transaction-history', search: { payout } }) },
  pool: { label: 'Open pool', to: (poolId) => ({ to: '/pools/$poolId', params: { poolId } }) },
};

/** The notes that mention the reader, where its Attention names them. */
export function NotesDialog({
  subject,
  title,
  onClose,
}: {
  subject: Subject;
  title: string;
  onClose(): void;
}) {
  const seen = useSeen(subject);
  const { label, to } = PLACES[subject.subject_kind];
  return (
    <Dialog title={title} text="What colleagues wrote, and ask you to look at." onClose={onClose}>
      <div className="max-sm:mx-4">
        <NotesPanel subject={subject} isSuper={false} />
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
        <Link
          {...to(subject.subject_id)}
          className="me-auto rounded font-medium hover:text-accent hover:underline"
        >
          {label}
        </Link>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          aria-disabled={seen.isBusy}
          onClick={() => {
            seen.onConfirm();
            onClose();
          }}
        >
          Seen
        </Button>
      </div>
    </Dialog>
  );
}
