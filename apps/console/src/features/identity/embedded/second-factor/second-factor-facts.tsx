import { useState } from 'react';
import { Fact } from '../../../../ui/figures/fact.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import type { SignedInUser } from '../../identity.ts';
import { NewBackupCodesDialog } from './new-backup-codes-dialog.tsx';
import { hasAuthenticatorApp, useSecondFactor } from './second-factor.ts';
import TwoFactorDialog from './two-factor-dialog.tsx';

/** So few are soon used up. */
const FEW_CODES = 3;

interface SecondFactorFactsProps {
  user: SignedInUser;
  onChanged(): Promise<void>;
}

/** The authenticator app of the own account, and its backup codes. */
export function SecondFactorFacts({ user, onChanged }: SecondFactorFactsProps) {
  const { data, refetch } = useSecondFactor();
  const [open, setOpen] = useState<'app' | 'codes' | null>(null);
  const hasApp = hasAuthenticatorApp(user);
  const left = data?.backup_codes_left ?? null;
  const changed = async () => {
    await Promise.all([refetch(), onChanged()]);
  };
  return (
    <>
      <Fact label="Authenticator app">
        <span className="inline-flex items-center gap-2">
          {hasApp ? (
            'On'
          ) : (
            <span className={user.super && !user.two_factor_enabled ? 'text-caution' : 'text-muted'}>
              Off
            </span>
          )}
          <Button className="h-7!" onClick={() => setOpen('app')}>
            {hasApp ? 'Turn off' : 'Set up'}
          </Button>
        </span>
      </Fact>
      {hasApp && (
        <Fact label="Backup codes">
          <span className="inline-flex items-center gap-2">
            {left !== null && (
              <span className={left <= FEW_CODES ? 'text-caution' : undefined}>
                <span className="tabular-nums">{left}</span> left
              </span>
            )}
            <Button className="h-7!" onClick={() => setOpen('codes')}>
              New backup codes
            </Button>
          </span>
        </Fact>
      )}
      {open === 'app' && (
        <TwoFactorDialog email={user.email} isOn={hasApp} onChanged={changed} onClose={() => setOpen(null)} />
      )}
      {open === 'codes' && (
        <NewBackupCodesDialog email={user.email} onChanged={changed} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
