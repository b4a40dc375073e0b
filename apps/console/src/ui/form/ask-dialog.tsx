import { clsx } from 'clsx';
import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogBody, DialogFoot } from './dialog.tsx';
import { FormError } from './form-error.tsx';

export interface AskDialogProps {
  title: string;
  text: string;
  /** The button's label, and its label while the action runs. */
  confirm: string;
  busy: string;
  isBusy: boolean;
  /** The action removes something. */
  isDanger?: boolean;
  /** It cannot be confirmed as things are. */
  isBlocked?: boolean;
  /** The label of the button that closes the dialog. */
  leave?: 'Back' | 'Cancel';
  /** In place of closing it. */
  onLeave?: (() => void) | undefined;
  /** Wide enough for a table. */
  wide?: boolean;
  error: string | null;
  onConfirm(form: HTMLFormElement): void;
  onClose(): void;
  children?: ReactNode;
}

/** Asks for confirmation. Enter in a field confirms as well. Errors are shown in the dialog. */
export function AskDialog({
  title,
  text,
  confirm,
  busy,
  isBusy,
  isDanger = false,
  isBlocked = false,
  leave = 'Back',
  wide = false,
  error,
  onConfirm,
  onClose,
  onLeave = onClose,
  children,
}: AskDialogProps) {
  const isOff = isBusy || isBlocked;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React passes it on to the form that this dialog was opened from.
    event.stopPropagation();
    if (!isOff) onConfirm(event.currentTarget);
  };
  const problem = (
    <div className={clsx('empty:hidden', wide ? 'shrink-0 px-4 has-[p]:py-3' : 'mt-3')}>
      <FormError message={error} />
    </div>
  );
  const buttons = (
    <>
      <Button onClick={onLeave}>{leave}</Button>
      <Button
        type="submit"
        look={isDanger ? 'danger' : 'primary'}
        className="tabular-nums"
        aria-disabled={isOff}
      >
        {isBusy ? busy : confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} text={text} wide={wide} onClose={onClose}>
      <form
        noValidate
        autoComplete="off"
        onSubmit={submit}
        className={wide ? 'flex min-h-0 flex-1 flex-col' : undefined}
      >
        {wide ? (
          <>
            <DialogBody>
              {children}
              {problem}
            </DialogBody>
            <DialogFoot>{buttons}</DialogFoot>
          </>
        ) : (
          <>
            {children}
            {problem}
            <div className="mt-4 flex justify-end gap-2">{buttons}</div>
          </>
        )}
      </form>
    </Dialog>
  );
}
