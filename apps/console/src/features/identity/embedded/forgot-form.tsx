import { useState } from 'react';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { authClient, unwrap } from './auth-client.ts';
import { FormShell, ViewLink } from './form-shell.tsx';
import { useForm } from './use-form.ts';

export function ForgotForm() {
  const [isSent, setSent] = useState(false);
  const form = useForm<{ email: string }>(['email'], async ({ email }) => {
    await unwrap(authClient.requestPasswordReset({ email: email.trim(), redirectTo: '/sign-in#/reset' }));
    setSent(true);
  });
  if (isSent) {
    return (
      <div role="status" className="space-y-3">
        <h1 className="text-lg font-semibold tracking-tight">Check your e-mail</h1>
        {/* The same text whether or not such an account exists. */}
        <p className="text-muted">
          If an account belongs to that address, a link to choose a new password is on its way.
        </p>
        <ViewLink to="">Back to sign in</ViewLink>
      </div>
    );
  }
  return (
    <FormShell
      title="Reset your password"
      text="We will send you a link to choose a new one."
      submit="Send link"
      form={form}
      footer={<ViewLink to="">Back to sign in</ViewLink>}
    >
      <TextField label="E-mail" name="email" type="email" autoComplete="username" error={form.errors.email} />
    </FormShell>
  );
}
