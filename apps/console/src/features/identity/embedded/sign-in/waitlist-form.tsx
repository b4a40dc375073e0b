import { useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useForm } from '../use-form.ts';
import { FormShell, ViewLink } from './form-shell.tsx';

/** Asks for access. A super admin decides about it under People. */
export function WaitlistForm() {
  const [isSent, setSent] = useState(false);
  const form = useForm(
    { email: '', name: '', note: '' },
    async ({ email, name, note }) => {
      await call('POST /api/waitlist', { body: { email: email.trim(), name: name.trim(), note } });
      setSent(true);
    },
    ['email', 'name'],
  );
  if (isSent) {
    return (
      <div role="status" className="space-y-3">
        <h1 className="text-lg font-semibold tracking-tight">Your request is noted</h1>
        {/* The same text whether or not the address is known. */}
        <p className="text-muted">When it is approved, you get an invitation to choose a password.</p>
        <ViewLink to="">Back to sign in</ViewLink>
      </div>
    );
  }
  return (
    <FormShell
      title="Ask for access"
      text="An administrator decides about it."
      submit="Send request"
      form={form}
      footer={<ViewLink to="">Back to sign in</ViewLink>}
    >
      <TextField label="E-mail" name="email" type="email" autoComplete="username" maxLength={254} />
      <TextField label="Name" name="name" autoComplete="name" maxLength={200} />
      <TextField
        label="What you need it for"
        name="note"
        autoComplete="off"
        maxLength={200}
        hint="Optional"
      />
    </FormShell>
  );
}
