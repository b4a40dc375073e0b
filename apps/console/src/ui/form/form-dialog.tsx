import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { AskDialog, type AskDialogProps } from './ask-dialog.tsx';
import { FormContext } from './form-context.ts';
import type { useDialogForm } from './use-dialog-form.ts';

export type FormState = Pick<
  ReturnType<typeof useDialogForm>,
  'isBusy' | 'error' | 'findField' | 'submit'
> & {
  isContested?: boolean;
};

export interface FormDialogProps extends Omit<AskDialogProps, 'isBusy' | 'error' | 'onConfirm'> {
  form: FormState;
  children: ReactNode;
}

/** A dialog with fields, which need no more than the names of their values in the form. */
export function FormDialog({ form, children, ...words }: FormDialogProps) {
  return (
    <FormContext value={form.findField}>
      <AskDialog {...words} isBusy={form.isBusy} error={form.error} onConfirm={form.submit}>
        <div className={clsx('space-y-3.5', words.wide && 'min-h-0 flex-1 overflow-y-auto px-4 py-3')}>
          {form.isContested && (
            <p className="text-pretty text-caution">
              Another person changed some of what you changed. Yours is kept: check it before you save.
            </p>
          )}
          {children}
        </div>
      </AskDialog>
    </FormContext>
  );
}

interface FormProps {
  form: FormState;
  className?: string;
  children: ReactNode;
}

/** A form that is no dialog, or a part of one, and has its own buttons and place for its error. */
export function Form({ form, className, children }: FormProps) {
  return (
    <FormContext value={form.findField}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.submit(event.currentTarget);
        }}
        className={className}
      >
        {children}
      </form>
    </FormContext>
  );
}
