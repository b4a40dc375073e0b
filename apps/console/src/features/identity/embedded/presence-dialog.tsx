import { call } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import { FormError } from '../../../ui/forms/form-error.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import type { SignedInUser } from '../identity.ts';
import { CodeField } from './code-field.tsx';
import { useForm } from './use-form.ts';

interface PresenceDialogProps {
  user: SignedInUser;
  onProven(token: string): void;
  onChanged(): Promise<void>;
  onClose(): void;
}

const WHY = 'Money, payout addresses, secrets and users need a sign-in from the last 10 minutes.';
const HOW = {
  one_click: 'Confirm to go on as',
  password: 'Enter the password of',
  code: 'Enter the code from the authenticator app of',
} as const;
const FIELDS = { one_click: [], password: ['password'], code: ['code'] } as const;

/** Asks people to authenticate again with the strongest factor of their account. */
export default function PresenceDialog({ user, onProven, onChanged, onClose }: PresenceDialogProps) {
  const way = user.reauthenticates_by;
  const form = useForm<{ password?: string; code?: string } & Record<string, string>>(
    FIELDS[way],
    async ({ password, code }) => {
      const body =
        way === 'code'
          ? { code: (code ?? '').replace(/\s/g, '') }
          : way === 'password'
            ? { password: password ?? '' }
            : { one_click: true as const };
      try {
        onProven((await call('POST /api/reauthenticate', { body })).token);
      } catch (error) {
        // A second factor was turned on or off in another window.
        if (error instanceof ApiError && error.code === 'reauthentication_method') await onChanged();
        throw error;
      }
    },
  );
  return (
    <Dialog title="Confirm it is you" text={`${WHY} ${HOW[way]} ${user.email}.`} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="space-y-4">
        <FormError message={form.message} />
        {/* Password managers look for the account of a password. */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        {way === 'password' && (
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            data-first-focus
            error={form.errors.password}
          />
        )}
        {way === 'code' && <CodeField error={form.errors.code} isFirst />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            aria-disabled={form.isBusy}
            data-first-focus={way === 'one_click' || undefined}
          >
            {form.isBusy ? 'Confirming...' : 'Confirm'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
