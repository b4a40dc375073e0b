import type { CallInput } from '@copydesk/contract';
import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { Form } from '../../../ui/form/form-dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { SignedInUser } from '../identity.ts';
import { PasskeyButton } from './passkeys/passkey-button.tsx';
import { canUsePasskeys } from './passkeys/passkey-failure.ts';
import { signChallenge } from './passkeys/passkeys.ts';
import { CodeField } from './second-factor/code-field.tsx';
import { useForm } from './use-form.ts';

interface RecentAuthDialogProps {
  user: SignedInUser;
  /** Null: for a call. */
  why: string | null;
  onProven(token: string): void;
  onChanged(): Promise<void>;
  onClose(): void;
}

const WHY = 'Money, payout addresses, secrets and users need a sign-in from the last 10 minutes.';
const HOW = {
  one_click: 'Confirm to go on as',
  password: 'Enter the password of',
  code: 'Enter the code from the authenticator app of',
  passkey: 'Use a passkey of',
  code_or_passkey: 'Use a passkey, or the code from the authenticator app of',
} as const;
const FIELDS = {
  one_click: [],
  password: ['password'],
  code: ['code'],
  passkey: [],
  code_or_passkey: ['code'],
} as const;
const NO_PASSKEYS =
  'This browser cannot use your passkey here. Continue in one that can, at the usual address.';

type Proof = CallInput<'POST /api/reauthenticate'>['body'];

/** Asks people to authenticate again with one of the strongest factors of their account. */
export default function RecentAuthDialog({ user, why, onProven, onChanged, onClose }: RecentAuthDialogProps) {
  // Accounts of ours never prove themselves at a hosted service.
  const way = user.reauthenticates_by as keyof typeof FIELDS;
  const prove = async (body: Proof) => {
    try {
      onProven((await call('POST /api/reauthenticate', { body })).token);
    } catch (error) {
      await recordChange(error);
      throw error;
    }
  };
  /** A second factor was added or removed in another window. */
  const recordChange = async (error: unknown) => {
    if (error instanceof ApiError && error.code === 'reauthentication_method') await onChanged();
  };
  const form = useForm(
    { password: '', code: '' },
    async ({ password, code }) => {
      if (way === 'password') return prove({ password });
      if (way === 'one_click') return prove({ one_click: true });
      return prove({ code: code.replace(/\s/g, '') });
    },
    FIELDS[way],
  );
  const asksCode = way === 'code' || way === 'code_or_passkey';
  const takesPasskey = way === 'passkey' || way === 'code_or_passkey';
  return (
    <Dialog title="Confirm it is you" text={`${why ?? WHY} ${HOW[way]} ${user.email}.`} onClose={onClose}>
      <Form form={form} className="space-y-4">
        <FormError message={form.error} />
        {/* Password managers look for the account of a password. */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        {way === 'password' && (
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            data-first-focus
          />
        )}
        {takesPasskey && canUsePasskeys() && (
          <PasskeyButton
            label="Use a passkey"
            look={asksCode ? 'outline' : 'primary'}
            isFirst={!asksCode}
            run={async () => {
              const passkey = await signChallenge().catch(async (error) => {
                await recordChange(error);
                throw error;
              });
              await prove({ passkey });
            }}
          />
        )}
        {way === 'passkey' && !canUsePasskeys() && <FormError message={NO_PASSKEYS} />}
        {asksCode && <CodeField isFirst />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          {way !== 'passkey' && (
            <Button
              type="submit"
              look="primary"
              aria-disabled={form.isBusy}
              data-first-focus={way === 'one_click' || undefined}
            >
              {form.isBusy ? 'Confirming...' : 'Confirm'}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
