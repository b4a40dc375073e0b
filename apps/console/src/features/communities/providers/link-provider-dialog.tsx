import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { communitiesKeys } from '../communities-keys.ts';

export interface NamedProvider {
  id: string;
  display_name: string;
}

interface LinkProviderDialogProps {
  community: { id: string; name: string };
  /** Active providers without a link. */
  providers: readonly NamedProvider[];
  onClose(): void;
}

/** Links a provider to a community. */
export function LinkProviderDialog({ community, providers, onClose }: LinkProviderDialogProps) {
  const nameOf = (providerId: string) => providers.find(({ id }) => id === providerId)?.display_name;
  const form = useDialogForm({
    values: { provider_id: providers[0]?.id ?? '', custom_display_name: '' },
    send: ({ provider_id, custom_display_name }) =>
      call('POST /api/communities/{id}/providers', {
        params: { id: community.id },
        body: { provider_id, custom_display_name: custom_display_name.trim() },
      }),
    done: (_, { provider_id }) => ({
      title: 'Provider linked',
      text: `${nameOf(provider_id) ?? ''} in ${community.name}`,
    }),
    reads: communitiesKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Link provider"
      text={`Traders of ${community.name} can choose it at once, and its staff can see the community.`}
      confirm="Link provider"
      busy="Linking..."
      onClose={onClose}
    >
      <SelectField
        label="Provider"
        name="provider_id"
        options={providers.map(({ id, display_name }) => ({ value: id, label: display_name }))}
      />
      <TextField
        label="Name in this community"
        name="custom_display_name"
        maxLength={200}
        autoComplete="off"
        placeholder={nameOf(form.values.provider_id)}
        hint="Empty: its own display name"
      />
    </FormDialog>
  );
}
