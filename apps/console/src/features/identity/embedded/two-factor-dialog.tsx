import { useState } from 'react';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { TwoFactorPassword } from './two-factor-password.tsx';
import { TwoFactorVerify } from './two-factor-verify.tsx';

interface TwoFactorDialogProps {
  email: string;
  isOn: boolean;
  onChanged(): Promise<void>;
  onClose(): void;
}

type Step =
  | { name: 'password' }
  | { name: 'verify'; totpUri: string; backupCodes: string[] }
  | { name: 'codes'; backupCodes: string[] };

const TEXTS = {
  password: {
    on: 'It is on. Enter your password and a code from your authenticator app to turn it off.',
    off: 'Every sign-in with your password will ask for a code from your authenticator app. Enter the password to set it up.',
  },
  verify: 'Scan the code with an authenticator app, then enter the six digits it shows.',
  codes: 'Each code signs you in once if you lose the app. They are shown only now.',
};

export default function TwoFactorDialog({ email, isOn, onChanged, onClose }: TwoFactorDialogProps) {
  // The state when the dialog opened: the session changes during the flow.
  const [wasOn] = useState(isOn);
  const [step, setStep] = useState<Step>({ name: 'password' });
  const text = step.name === 'password' ? TEXTS.password[wasOn ? 'on' : 'off'] : TEXTS[step.name];

  const turnedOff = async () => {
    await onChanged();
    toast({ tone: 'positive', title: 'Authenticator app turned off' });
    onClose();
  };
  return (
    <Dialog title="Two-factor authentication" text={text} onClose={onClose}>
      {step.name === 'password' && (
        <TwoFactorPassword
          email={email}
          isOn={wasOn}
          onEnabled={(setup) => setStep({ name: 'verify', ...setup })}
          onDisabled={turnedOff}
        />
      )}
      {step.name === 'verify' && (
        <TwoFactorVerify
          totpUri={step.totpUri}
          onVerified={async () => {
            setStep({ name: 'codes', backupCodes: step.backupCodes });
            await onChanged();
          }}
        />
      )}
      {step.name === 'codes' && <BackupCodes codes={step.backupCodes} onDone={onClose} />}
    </Dialog>
  );
}
