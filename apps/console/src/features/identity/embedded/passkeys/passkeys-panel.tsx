import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { Loading } from '../../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../../ui/table/plain-table/plain-table.tsx';
import type { SignedInUser } from '../../identity.ts';
import { useSecondFactor } from '../second-factor/second-factor.ts';
import {
  AddPasskeyDialog,
  type OwnPasskey,
  RemovePasskeyDialog,
  RenamePasskeyDialog,
} from './passkey-dialogs.tsx';
import { canUsePasskeys } from './passkey-failure.ts';

type Open = { name: 'add' } | { name: 'rename' | 'remove'; passkey: OwnPasskey };

const COLUMNS: readonly PlainColumn<OwnPasskey>[] = [
  {
    id: 'name',
    header: 'Name',
    width: '34%',
    onCard: 'lead',
    cell: ({ name }) => (
      <span className="block truncate" title={name}>
        {name}
      </span>
    ),
  },
  {
    id: 'added',
    header: 'Added',
    width: '20%',
    align: 'end',
    cell: ({ created_at }) => <When at={created_at} />,
  },
  {
    id: 'used',
    header: 'Last Used',
    width: '20%',
    align: 'end',
    cell: ({ last_used_at }) =>
      last_used_at === null ? <span className="text-muted">Never</span> : <When at={last_used_at} />,
  },
];

interface PasskeysPanelProps {
  user: SignedInUser;
  onChanged(): Promise<void>;
}

/** The passkeys of the own account. */
export function PasskeysPanel({ user, onChanged }: PasskeysPanelProps) {
  const { data, error, refetch } = useSecondFactor();
  const [open, setOpen] = useState<Open | null>(null);
  const isUsable = canUsePasskeys();
  const close = () => setOpen(null);
  const changed = async () => {
    await Promise.all([refetch(), onChanged()]);
    close();
  };
  const actions: PlainColumn<OwnPasskey> = {
    id: 'actions',
    header: 'Actions',
    width: '26%',
    align: 'end',
    onCard: 'end',
    cell: (passkey) => (
      <span className="inline-flex gap-1.5">
        <Button
          className="h-7!"
          aria-label={`Rename ${passkey.name}`}
          onClick={() => setOpen({ name: 'rename', passkey })}
        >
          Rename
        </Button>
        <Button
          className="h-7!"
          look="danger"
          aria-label={`Remove ${passkey.name}`}
          onClick={() => setOpen({ name: 'remove', passkey })}
        >
          Remove
        </Button>
      </span>
    ),
  };
  return (
    <Panel
      title="Passkeys"
      flush
      {...(data && { count: data.passkeys.length })}
      actions={
        <Button className="h-7!" disabled={!isUsable} onClick={() => setOpen({ name: 'add' })}>
          Add passkey
        </Button>
      }
    >
      {!isUsable && (
        <p className="border-b border-line px-4 py-2 text-muted">
          This browser cannot use passkeys at this address. They need HTTPS and a domain name, or localhost.
        </p>
      )}
      <QueryState
        small
        error={
          error && !data ? { title: 'The passkeys could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading passkeys..." />}
        isEmpty={data?.passkeys.length === 0}
        empty={
          <MessagePanel
            icon={KeyRound}
            small
            title="No passkeys"
            text="Sign in with a fingerprint, a face or a PIN in place of password and code."
          />
        }
      >
        <PlainTable
          label="Passkeys"
          columns={[...COLUMNS, actions]}
          rows={data?.passkeys ?? []}
          keyOf={({ id }) => id}
        />
      </QueryState>
      {open?.name === 'add' && <AddPasskeyDialog onAdded={changed} onClose={close} />}
      {open?.name === 'rename' && (
        <RenamePasskeyDialog passkey={open.passkey} onDone={changed} onClose={close} />
      )}
      {open?.name === 'remove' && (
        <RemovePasskeyDialog
          passkey={open.passkey}
          isLastFactor={data?.passkeys.length === 1 && !data.authenticator_app}
          isSuper={user.super}
          onDone={changed}
          onClose={close}
        />
      )}
    </Panel>
  );
}
