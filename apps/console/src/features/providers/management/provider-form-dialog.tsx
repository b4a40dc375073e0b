import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api-error.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
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

const EDIT = 'Edit Provider';

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

function Form({
  provider: current,
  onClose,
  onSaved,
}: ProviderFormDialogProps & { provider: Provider | null }) {
  // The form compares with its initial state, so concurrent changes by others are not overwritten.
  const [provider] = useState(current);
  const [form, setForm] = useState(() => formOf(provider));
  const save = useSaveProvider(provider, (saved) => {
    onClose();
    onSaved?.(saved);
  });
  return (
    <Dialog
      title={provider ? EDIT : 'New Provider'}
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
