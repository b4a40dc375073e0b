import { SERVICE_SCOPES, type ServiceScope } from '@copydesk/domain/access';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { CopyButton } from '../../../ui/figures/copy-button.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { CheckList } from '../../../ui/form/check-list.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { tokensKey } from './token-queries.ts';
import { SCOPE_TEXTS } from './token-texts.ts';

interface NewTokenDialogProps {
  providers: readonly { id: string; display_name: string }[];
  onClose(): void;
}

const LONGEST_DAYS = 365;

const EMPTY = {
  name: '',
  expires_in_days: '90',
  scopes: [] as ServiceScope[],
  provider_ids: [] as string[],
};

function missingIn({ name, expires_in_days: days, scopes, provider_ids }: typeof EMPTY): string | null {
  if (!name.trim()) return 'Enter a name';
  if (scopes.length === 0) return 'Choose at least one scope';
  if (provider_ids.length === 0) return 'Choose at least one provider';
  const isLife = /^\d{1,3}$/.test(days.trim()) && Number(days) >= 1 && Number(days) <= LONGEST_DAYS;
  return isLife ? null : `Enter a life of 1 to ${LONGEST_DAYS} days`;
}

/** Creates a service token, whose secret is shown once. */
export function NewTokenDialog({ providers, onClose }: NewTokenDialogProps) {
  const [token, setToken] = useState<string | null>(null);
  const form = useDialogForm({
    values: EMPTY,
    findErrors: (values) => {
      const missing = missingIn(values);
      return missing === null ? null : { form: missing };
    },
    send: ({ name, expires_in_days, ...chosen }) =>
      call('POST /api/service-tokens', {
        body: { name: name.trim(), ...chosen, expires_in_days: Number(expires_in_days) },
      }),
    done: () => null,
    reads: tokensKey,
    onDone: ({ data }) => setToken(data.token),
  });
  if (token !== null) return <Secret token={token} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title="New service token"
      text="For a program. It never does more than its scopes and your own access allow, and ends when your account is disabled."
      confirm="Create token"
      busy="Creating..."
      onClose={onClose}
    >
      <div className="grid gap-3.5 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <TextField label="Name" name="name" maxLength={200} autoComplete="off" autoFocus />
        <TextField label="Life (days)" name="expires_in_days" inputMode="numeric" autoComplete="off" />
      </div>
      <CheckList
        legend="Scopes"
        name="scopes"
        options={SERVICE_SCOPES.map((scope) => ({ value: scope, label: SCOPE_TEXTS[scope] }))}
      />
      <CheckList
        legend="Providers"
        name="provider_ids"
        layout="grid max-h-48 gap-1 overflow-auto sm:grid-cols-2"
        options={providers.map(({ id, display_name }) => ({ value: id, label: display_name }))}
      />
    </FormDialog>
  );
}

function Secret({ token, onClose }: { token: string; onClose(): void }) {
  return (
    <Dialog
      title="Service Token"
      text="It is shown this one time: store it where the program reads its secrets. Requests send it as the whole Authorization header."
      onClose={onClose}
    >
      <div className="flex items-center gap-2 rounded-md border border-line bg-subtle px-3 py-2">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{token}</code>
        <CopyButton what="service token" getText={() => token} />
      </div>
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}
