import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormError } from './form-error.tsx';

interface AskDialogProps {
  title: string;
  text: string;
  /** The button's label, and its label while the action runs. */
  confirm: string;
  busy: string;
  isBusy: boolean;
  /** The action removes something. */
  isDanger?: boolean;
  error: string | null;
  onConfirm(): void;
  onClose(): void;
  children?: ReactNode;
}

/** Asks for confirmation. Enter in a field confirms as well. Errors are shown in the dialog. */
export function AskDialog(props: AskDialogProps) {
  const { title, text, confirm, busy, isBusy, isDanger = false, error, onConfirm, onClose, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React passes it on to the form that this dialog was opened from.
    event.stopPropagation();
    if (!isBusy) onConfirm();
  };
  return (
    <Dialog title={title} text={text} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        {children}
        <div className="mt-3 empty:hidden">
          <FormError message={error} />
        </div>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} aria-disabled={isBusy}>
            {isBusy ? busy : confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
