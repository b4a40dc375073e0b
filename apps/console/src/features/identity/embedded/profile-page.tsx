import { useState } from 'react';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Form } from '../../../ui/form/form-dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { Page, PageHeader } from '../../../ui/layout/page.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { accessBadge } from '../access.ts';
import type { SignedInUser } from '../identity.ts';
import { authClient, unwrap } from './auth-client.ts';
import { PasskeysPanel } from './passkeys/passkeys-panel.tsx';
import { withRecentAuth } from './recent-auth.ts';
import { CodeField } from './second-factor/code-field.tsx';
import { hasAuthenticatorApp } from './second-factor/second-factor.ts';
import { SecondFactorFacts } from './second-factor/second-factor-facts.tsx';
import { OwnSessions } from './sessions/own-sessions.tsx';
import { useForm } from './use-form.ts';

interface ProfilePageProps {
  user: SignedInUser;
  onChanged(): Promise<void>;
}

/** The own account: name, password, second factors, sessions. */
export default function ProfilePage({ user, onChanged }: ProfilePageProps) {
  usePageTitle('Profile');
  /** Each change of the password empties its form. */
  const [round, setRound] = useState(0);
  return (
    <Page>
      <PageHeader title="Profile" facts={<p className="text-muted">{user.email}</p>} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[24rem_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="You">
            <NameForm user={user} onChanged={onChanged} />
            <Facts className="mt-3">
              <Fact label="Access">{accessBadge(user) ?? 'No provider access'}</Fact>
              {user.providers.length > 1 && (
                <Fact label="Providers">{user.providers.map(({ name }) => name).join(', ')}</Fact>
              )}
              <SecondFactorFacts user={user} onChanged={onChanged} />
            </Facts>
          </Panel>
          <Panel title="Password">
            <PasswordForm key={round} hasApp={hasAuthenticatorApp(user)} onDone={() => setRound(round + 1)} />
          </Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <PasskeysPanel user={user} onChanged={onChanged} />
          <OwnSessions />
        </div>
      </div>
    </Page>
  );
}

function NameForm({ user, onChanged }: ProfilePageProps) {
  const form = useForm({ name: user.name }, async ({ name }) => {
    await unwrap(authClient.updateUser({ name: name.trim() }));
    await onChanged();
    toast({ tone: 'positive', title: 'Name changed', text: name.trim() });
  });
  return (
    <Form form={form} className="space-y-3">
      <FormError message={form.error} />
      <div className="flex items-end gap-2">
        <TextField label="Name" name="name" className="min-w-0 flex-1" autoComplete="name" maxLength={200} />
        <Button type="submit" className="h-9!" aria-disabled={form.isBusy}>
          {form.isBusy ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </Form>
  );
}

interface PasswordFormProps {
  /** The server wants a code as well. */
  hasApp: boolean;
  onDone(): void;
}

function PasswordForm({ hasApp, onDone }: PasswordFormProps) {
  const form = useForm(
    { password: '', newPassword: '', code: '' },
    async ({ password, newPassword, code }) => {
      // The library's types do not know the code.
      const proof = hasApp ? { code: code.replace(/\s/g, '') } : {};
      const change = { currentPassword: password, newPassword, revokeOtherSessions: true, ...proof };
      await withRecentAuth(() => unwrap(authClient.changePassword(change)));
      toast({ tone: 'positive', title: 'Password changed', text: 'Your other sessions have ended.' });
      onDone();
    },
    hasApp ? ['password', 'newPassword', 'code'] : ['password', 'newPassword'],
  );
  return (
    <Form form={form} className="space-y-3">
      <FormError message={form.error} />
      <TextField
        label="Present password"
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={128}
      />
      <TextField
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        maxLength={128}
        hint="12 to 128 characters. Other sessions end."
      />
      {hasApp && <CodeField />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" aria-disabled={form.isBusy}>
          {form.isBusy ? 'Saving...' : 'Change password'}
        </Button>
      </div>
    </Form>
  );
}
