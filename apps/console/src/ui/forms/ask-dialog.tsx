import type { ReactNode } from 'react';
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

/** Asks for confirmation. Errors are shown in the dialog. */
export function AskDialog(props: AskDialogProps) {
  const { title, text, confirm, busy, isBusy, isDanger = false, error, onConfirm, onClose, children } = props;
  return (
    <Dialog title={title} text={text} onClose={onClose}>
      {children}
      <div className="mt-3 empty:hidden">
        <FormError message={error} />
      </div>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Back</Button>
        <Button
          look={isDanger ? 'danger' : 'primary'}
          aria-disabled={isBusy}
          onClick={() => !isBusy && onConfirm()}
        >
          {isBusy ? busy : confirm}
        </Button>
      </div>
    </Dialog>
  );
}
