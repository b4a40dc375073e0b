import { type ReactNode, useCallback, useState } from 'react';
import { FormDialog } from '../../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../../ui/form/use-dialog-form.ts';

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
  const form = useDialogForm({
    values: { reason: '' },
    findErrors: ({ reason }) => (reason.trim() === '' ? { reason: 'Enter a reason' } : null),
    send: async ({ reason }) => reason.trim(),
    done: () => null,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Why do you need more secrets?"
      text="You have revealed ten accounts within an hour. A reason opens the next ten; a second one within the hour notifies the super admins."
      confirm="Reveal"
      busy="Revealing..."
      onClose={() => onClose(null)}
    >
      <TextField
        label="Reason"
        name="reason"
        hint="It is recorded in the audit trail"
        maxLength={200}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  );
}
