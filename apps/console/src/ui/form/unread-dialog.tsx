import { AskDialog } from './ask-dialog.tsx';

interface UnreadDialogProps {
  title: string;
  /** What will be asked, and while it runs. */
  confirm: string;
  busy: string;
  /** Why there is nothing to decide any more; null: it is still being read. */
  gone: string | null;
  error: string | null;
  onClose(): void;
}

/** In place of a decision about one thing, until all that is known of it is read. */
export function UnreadDialog({ gone, ...words }: UnreadDialogProps) {
  return (
    <AskDialog
      {...words}
      text={gone ?? 'Reading what is known of it...'}
      isBlocked
      isBusy={false}
      onConfirm={() => {}}
    />
  );
}
