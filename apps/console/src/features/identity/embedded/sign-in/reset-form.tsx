import { ApiError } from '../../../../lib/api/api-error.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { authClient, unwrap } from '../auth-client.ts';
import { useForm } from '../use-form.ts';
import { FormShell, ViewLink } from './form-shell.tsx';
import { LinkOwner } from './link-owner.tsx';
import { goToView } from './sign-in-hash.ts';

export function ResetForm({ token }: { token: string | null }) {
  const form = useForm({ newPassword: '' }, async ({ newPassword }) => {
    if (!token) {
      throw new ApiError({
        code: 'invalid_token',
        status: 400,
        message: 'This link is incomplete. Please request a new one.',
      });
    }
    await unwrap(authClient.resetPassword({ newPassword, token }));
    toast({ tone: 'positive', title: 'Password changed', text: 'Sign in with your new password.' });
    goToView('');
  });
  return (
    <FormShell
      title="Choose a new password"
      text="Sessions on other devices end when you save it."
      submit="Save password"
      form={form}
      footer={<ViewLink to="forgot">Request a new link</ViewLink>}
    >
      <LinkOwner kind="reset" token={token} />
      <TextField
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        hint="12 to 128 characters"
      />
    </FormShell>
  );
}
