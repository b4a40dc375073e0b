import { call } from '../../../../lib/api/api.ts';
import { ApiError } from '../../../../lib/api/api-error.ts';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { authClient, unwrap } from '../auth-client.ts';
import { useForm } from '../use-form.ts';
import { FormShell, ViewLink } from './form-shell.tsx';
import { LinkOwner } from './link-owner.tsx';

interface AcceptFormProps {
  token: string | null;
  onSignedIn(): Promise<void>;
}

export function AcceptForm({ token, onSignedIn }: AcceptFormProps) {
  const form = useForm({ name: '', newPassword: '' }, async (fields) => {
    if (!token) {
      throw new ApiError({
        code: 'invitation_invalid',
        status: 410,
        message: 'This invitation link is incomplete. Please open it again from your invitation.',
      });
    }
    const password = fields.newPassword;
    const { data } = await call('POST /api/invitations/accept', {
      body: { token, name: fields.name, password },
    });
    await unwrap(authClient.signIn.email({ email: data.email, password }));
    await onSignedIn();
  });
  return (
    <FormShell
      title="Accept your invitation"
      text="Choose your name and a password."
      submit="Create account"
      form={form}
      footer={<ViewLink to="">Back to sign in</ViewLink>}
    >
      <LinkOwner kind="accept" token={token} />
      <TextField label="Name" name="name" autoComplete="name" maxLength={200} />
      <TextField
        label="Password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        hint="12 to 128 characters"
      />
    </FormShell>
  );
}
