import { call } from '../../../lib/api/api.ts';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
import { communitiesKeys } from '../communities-keys.ts';
import type { CommunityProvider } from './community-providers-query.ts';

interface EditLinkDialogProps {
  communityId: string;
  link: CommunityProvider;
  onClose(): void;
}

/** Renames a provider in a community, or closes it to new traders. */
export function EditLinkDialog({ communityId, link, onClose }: EditLinkDialogProps) {
  const { provider_id: providerId, display_name } = link;
  const form = useEditForm({
    record: link,
    valuesOf: ({ custom_display_name, is_active }) => ({
      custom_display_name: custom_display_name ?? '',
      is_active,
    }),
    changesOf: ({ custom_display_name, is_active }, seen) => ({
      ...(custom_display_name.trim() !== (seen.custom_display_name ?? '') && {
        custom_display_name: custom_display_name.trim(),
      }),
      ...(is_active !== seen.is_active && { is_active }),
    }),
    send: (body) =>
      call('PUT /api/communities/{id}/providers/{providerId}', {
        params: { id: communityId, providerId },
        body,
      }),
    done: () => ({ title: 'Provider of the community updated', text: display_name }),
    reads: communitiesKeys.all,
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Edit ${display_name}`}
      text="Applies in this community only."
      confirm="Save"
      busy="Saving..."
      onClose={onClose}
    >
      <TextField
        label="Name in this community"
        name="custom_display_name"
        data-first-focus
        maxLength={200}
        autoComplete="off"
        placeholder={display_name}
        hint="Empty: its own display name"
      />
      <CheckField
        label="Open to new traders"
        name="is_active"
        hint="Closed, its traders here stay: their accounts are read and their profits invoiced."
      />
    </FormDialog>
  );
}
