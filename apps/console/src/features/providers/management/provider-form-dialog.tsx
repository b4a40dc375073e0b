import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { type Provider, providerQuery } from '../providers-queries.ts';
import { formOf } from './provider-fields.ts';
import { ProviderForm } from './provider-form.tsx';
import { useSaveProvider } from './use-save-provider.ts';

interface ProviderFormDialogProps {
  /** Null for a new provider. */
  providerId: string | null;
  onClose(): void;
  onSaved?: (provider: Provider) => void;
}

/** Creates a provider, or changes one. */
export function ProviderFormDialog(props: ProviderFormDialogProps) {
  return props.providerId === null ? (
    <Form {...props} provider={null} />
  ) : (
    <Loaded {...props} providerId={props.providerId} />
  );
}

const EDIT = 'Edit provider';

function Loaded(props: ProviderFormDialogProps & { providerId: string }) {
  const { data, error, refetch } = useQuery(providerQuery(props.providerId));
  if (data) return <Form {...props} provider={data} />;
  return (
    <Dialog title={EDIT} text="Reading its present settings." onClose={props.onClose}>
      {error ? (
        <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Loading text="Loading the provider..." />
      )}
    </Dialog>
  );
}

/** A new provider. */
const NONE = { version: '' };
const providerIn = (seen: Provider | typeof NONE) => ('id' in seen ? seen : null);

function Form({
  provider: current,
  onClose,
  onSaved,
}: ProviderFormDialogProps & { provider: Provider | null }) {
  const [form, setForm] = useState(() => formOf(current));
  const { seen, refused } = useSeen(current ?? NONE, (present) => setForm(formOf(providerIn(present))));
  const provider = providerIn(seen);
  const save = useSaveProvider(provider, {
    onDone(saved) {
      onClose();
      onSaved?.(saved);
    },
    onError: refused,
  });
  return (
    <Dialog
      title={provider ? EDIT : 'New provider'}
      text={
        provider
          ? 'Existing invoices keep the terms they were created with.'
          : 'A provider takes traders once a community is linked to it.'
      }
      onClose={onClose}
    >
      <ProviderForm
        provider={provider}
        form={form}
        onChange={(changes) => setForm({ ...form, ...changes })}
        save={save}
        onClose={onClose}
      />
    </Dialog>
  );
}
