import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
import { type Provider, providerQuery, providersKeys } from '../providers-queries.ts';
import { bodyOf, formOf, providerErrors } from './provider-fields.ts';
import { ProviderFields } from './provider-form.tsx';

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
  const form = useEditForm({
    record: current ?? NONE,
    valuesOf: (seen) => formOf(providerIn(seen)),
    changesOf: (values, seen) => bodyOf(values, providerIn(seen)),
    findErrors: providerErrors,
    send: ({ version, ...body }, keyOf) => {
      if (current) {
        const params = { id: current.id };
        const changes = { ...body, version };
        return call('PUT /api/providers/{id}', {
          params,
          body: changes,
          idempotencyKey: keyOf({ ...params, ...changes }),
        });
      }
      const { name = '', display_name = '', ...rest } = body;
      return call('POST /api/providers', {
        body: { name, display_name, ...rest },
        idempotencyKey: keyOf(body),
      });
    },
    done: ({ data }) => ({
      title: current ? 'Provider updated successfully' : 'Provider created successfully',
      text: data.display_name,
    }),
    refusal: (error) =>
      // The text of the spec, and the server's reason (super-admin spec, section 8).
      `${current ? 'Failed to update provider' : 'Failed to create provider'}. ${messageOf(error)}`,
    reads: providersKeys.all,
    onDone: ({ data }) => {
      onClose();
      onSaved?.(data);
    },
    onClose,
  });
  const provider = providerIn(form.seen);
  return (
    <FormDialog
      form={form}
      title={provider ? EDIT : 'New provider'}
      text={
        provider
          ? 'Existing invoices keep the terms they were created with.'
          : 'A provider takes traders once a community is linked to it.'
      }
      confirm={provider ? 'Save' : 'Create provider'}
      busy="Saving..."
      leave="Cancel"
      onClose={onClose}
    >
      <ProviderFields provider={provider} values={form.values} />
    </FormDialog>
  );
}
