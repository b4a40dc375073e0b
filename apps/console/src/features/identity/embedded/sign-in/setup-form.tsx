import { call } from '../../../../lib/api/api.ts';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { authClient, unwrap } from '../auth-client.ts';
import { useForm } from '../use-form.ts';
import { FormShell, ViewLink } from './form-shell.tsx';

type Fields = { token: string; email: string; name: string; newPassword: string };

export function SetupForm() {
  const form = useForm<Fields>(['token', 'email', 'name', 'newPassword'], async (fields) => {
    const { token, name, newPassword: password } = fields;
    const email = fields.email.trim();
    await call('POST /api/setup', { body: { token: token.trim(), email, name, password } });
    await unwrap(authClient.signIn.email({ email, password }));
    // A full reload, because the server's state has changed: the set-up is closed now.
    window.location.replace('/');
  });
  return (
    <FormShell
      title="Set up Copydesk"
      text="Create the first super admin. The one-time setup token is in the server's log."
      submit="Create super admin"
      form={form}
      footer={<ViewLink to="">Back to sign in</ViewLink>}
    >
      <TextField
        label="Setup token"
        name="token"
        autoComplete="off"
        spellCheck={false}
        error={form.errors.token}
      />
      <TextField label="E-mail" name="email" type="email" autoComplete="username" error={form.errors.email} />
      <TextField label="Name" name="name" autoComplete="name" maxLength={200} error={form.errors.name} />
      <TextField
        label="Password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        hint="12 to 128 characters"
        error={form.errors.newPassword ?? form.errors.password}
      />
    </FormShell>
  );
}
