import { SERVICE_SCOPES, type ServiceScope } from '@copydesk/domain/access';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { CopyButton } from '../../../ui/figures/copy-button.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { tokensKey } from './token-queries.ts';
import { SCOPE_TEXTS } from './token-texts.ts';

interface NewTokenDialogProps {
  providers: readonly { id: string; display_name: string }[];
  onClose(): void;
}

const LONGEST_DAYS = 365;

/** Creates a service token, whose secret is shown once. */
export function NewTokenDialog({ providers, onClose }: NewTokenDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [scopes, setScopes] = useState<readonly ServiceScope[]>([]);
  const [providerIds, setProviderIds] = useState<readonly string[]>([]);
  const [missing, setMissing] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () =>
      call('POST /api/service-tokens', {
        body: {
          name: name.trim(),
          scopes: [...scopes],
          provider_ids: [...providerIds],
          expires_in_days: Number(days),
        },
      }),
    onSettled: readAgain(client, tokensKey),
  });
  if (create.data) return <Secret token={create.data.data.token} onClose={onClose} />;
  const findMissing = () => {
    if (!name.trim()) return 'Enter a name';
    if (scopes.length === 0) return 'Choose at least one scope';
    if (providerIds.length === 0) return 'Choose at least one provider';
    const isLife = /^\d{1,3}$/.test(days.trim()) && Number(days) >= 1 && Number(days) <= LONGEST_DAYS;
    return isLife ? null : `Enter a life of 1 to ${LONGEST_DAYS} days`;
  };
  const toggled = <T,>(list: readonly T[], value: T, isOn: boolean) =>
    isOn ? [...list, value] : list.filter((each) => each !== value);
  return (
    <AskDialog
      title="New service token"
      text="For a program. It never does more than its scopes and your own access allow, and ends when your account is disabled."
      confirm="Create token"
      busy="Creating..."
      isBusy={create.isPending}
      error={missing ?? (create.error ? messageOf(create.error) : null)}
      onConfirm={() => {
        const found = findMissing();
        setMissing(found);
        if (!found) create.mutate();
      }}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <div className="grid gap-3.5 sm:grid-cols-[minmax(0,1fr)_8rem]">
          <TextField
            label="Name"
            name="name"
            maxLength={200}
            autoComplete="off"
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label="Life (days)"
            name="expires_in_days"
            inputMode="numeric"
            autoComplete="off"
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
        </div>
        <fieldset>
          <legend className="font-medium">Scopes</legend>
          <div className="mt-1 grid gap-1">
            {SERVICE_SCOPES.map((scope) => (
              <CheckField
                key={scope}
                label={SCOPE_TEXTS[scope]}
                checked={scopes.includes(scope)}
                onChange={({ target }) => setScopes(toggled(scopes, scope, target.checked))}
              />
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend className="font-medium">Providers</legend>
          <div className="mt-1 grid max-h-48 gap-1 overflow-auto sm:grid-cols-2">
            {providers.map(({ id, display_name }) => (
              <CheckField
                key={id}
                label={display_name}
                checked={providerIds.includes(id)}
                onChange={({ target }) => setProviderIds(toggled(providerIds, id, target.checked))}
              />
            ))}
          </div>
        </fieldset>
      </div>
    </AskDialog>
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
