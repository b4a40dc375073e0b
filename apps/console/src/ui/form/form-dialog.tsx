import type { ReactNode } from 'react';
import { AskDialog, type AskDialogProps } from './ask-dialog.tsx';
import { FormContext } from './form-context.ts';
import type { useDialogForm } from './use-dialog-form.ts';

interface FormDialogProps extends Omit<AskDialogProps, 'isBusy' | 'error' | 'onConfirm'> {
  form: Pick<ReturnType<typeof useDialogForm>, 'isBusy' | 'error' | 'findField' | 'submit'>;
  children: ReactNode;
}

/** A dialog with fields, which need no more than the names of their values in the form. */
export function FormDialog({ form, children, ...words }: FormDialogProps) {
  return (
    <FormContext value={form.findField}>
      <AskDialog {...words} isBusy={form.isBusy} error={form.error} onConfirm={form.submit}>
        <div className="space-y-3.5">{children}</div>
      </AskDialog>
    </FormContext>
  );
}
