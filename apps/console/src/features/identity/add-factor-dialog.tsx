import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../ui/form/button.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { isFactorAsked } from './factor-missing.ts';

const close = () => isFactorAsked.set(false);

/** Says that an act needs a second factor, which the account lacks, and how to add one. Loaded on demand. */
export default function AddFactorDialog() {
  const navigate = useNavigate();
  const toProfile = () => {
    close();
    void navigate({ to: '/profile' });
  };
  return (
    <Dialog
      title="Add a second factor"
      text="Money, payout addresses and secrets need more than a password. Add a passkey or an authenticator app to your account, then repeat what you did. Nothing was changed."
      onClose={close}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={close}>Not now</Button>
        <Button look="primary" data-first-focus onClick={toProfile}>
          Open your profile
        </Button>
      </div>
    </Dialog>
  );
}
