import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useChangeLink } from './use-change-link.ts';

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
  const [providerId, setProviderId] = useState(providers[0]?.id ?? '');
  const [name, setName] = useState('');
  const chosen = providers.find(({ id }) => id === providerId);
  const link = useChangeLink(
    () =>
      call('POST /api/communities/{id}/providers', {
        params: { id: community.id },
        body: { provider_id: providerId, custom_display_name: name.trim() },
      }),
    { title: 'Provider linked', text: `${chosen?.display_name ?? ''} in ${community.name}`, onClose },
  );
  return (
    <AskDialog
      title="Link provider"
      text={`Traders of ${community.name} can choose it at once, and its staff can see the community.`}
      confirm="Link provider"
      busy="Linking..."
      isBusy={link.isPending}
      error={link.error ? messageOf(link.error) : null}
      onConfirm={() => link.mutate(undefined)}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <SelectField
          label="Provider"
          value={providerId}
          options={providers.map(({ id, display_name }) => ({ value: id, label: display_name }))}
          onChange={({ target }) => setProviderId(target.value)}
        />
        <TextField
          label="Name in this community"
          name="custom_display_name"
          maxLength={200}
          autoComplete="off"
          value={name}
          placeholder={chosen?.display_name}
          hint="Empty: its own display name"
          onChange={({ target }) => setName(target.value)}
        />
      </div>
    </AskDialog>
  );
}
