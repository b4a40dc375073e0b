import type { ReactNode } from 'react';
import { Button } from '../../../../ui/form/button.tsx';
import { Form, type FormState } from '../../../../ui/form/form-dialog.tsx';
import { FormError } from '../../../../ui/form/form-error.tsx';
import { goToView, type SignInView } from './sign-in-hash.ts';

interface FormShellProps {
  title: string;
  text?: ReactNode;
  submit: string;
  form: FormState;
  children: ReactNode;
  footer?: ReactNode;
}

export function FormShell({ title, text, submit, form, children, footer }: FormShellProps) {
  return (
    <Form form={form} className="space-y-4">
      <div>
        <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
          {title}
        </h1>
        {text && <p className="mt-1 text-muted">{text}</p>}
      </div>
      <FormError message={form.error} />
      {children}
      <Button type="submit" look="primary" className="h-9! w-full" aria-disabled={form.isBusy}>
        {form.isBusy ? 'One moment...' : submit}
      </Button>
      {footer && <div className="flex flex-wrap justify-between gap-2">{footer}</div>}
    </Form>
  );
}

export function ViewLink({ to, children }: { to: SignInView; children: string }) {
  return (
    <a
      href={`#/${to}`}
      onClick={(event) => {
        event.preventDefault();
        goToView(to);
      }}
      className="rounded font-medium text-accent underline-offset-2 hover:underline"
    >
      {children}
    </a>
  );
}
