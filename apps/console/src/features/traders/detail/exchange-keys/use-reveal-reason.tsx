import { type ReactNode, useCallback, useState } from 'react';
import { AskDialog } from '../../../../ui/form/ask-dialog.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';

interface Question {
  answer: Promise<string | null>;
  settle(reason: string | null): void;
}

/** Asks for the reason that the next ten accounts need, once for all requests that wait for it. */
export function useRevealReason(): { askReason(): Promise<string | null>; dialog: ReactNode } {
  const [open, setOpen] = useState<Question | null>(null);
  const askReason = useCallback((): Promise<string | null> => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const settle = (reason: string | null) => {
      setOpen(null);
      resolve(reason);
    };
    setOpen((before) => {
      if (!before) return { answer: promise, settle };
      before.answer.then(resolve);
      return before;
    });
    return promise;
  }, []);
  return { askReason, dialog: open && <ReasonDialog onClose={open.settle} /> };
}

function ReasonDialog({ onClose }: { onClose(reason: string | null): void }) {
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const confirm = () => {
    if (reason.trim() === '') setMissing(true);
    else onClose(reason.trim());
  };
  return (
    <AskDialog
      title="Why do you need more secrets?"
      text="You have revealed ten accounts within an hour. A reason opens the next ten; a second one within the hour notifies the super admins."
      confirm="Reveal"
      busy="Revealing..."
      isBusy={false}
      error={null}
      onConfirm={confirm}
      onClose={() => onClose(null)}
    >
      <TextField
        label="Reason"
        name="reason"
        hint="It is recorded in the audit trail"
        maxLength={200}
        autoComplete="off"
        autoFocus
        value={reason}
        onChange={(event) => {
          setReason(event.target.value);
          setMissing(false);
        }}
        error={isMissing ? 'Enter a reason' : undefined}
      />
    </AskDialog>
  );
}
