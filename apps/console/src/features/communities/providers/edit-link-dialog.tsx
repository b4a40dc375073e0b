import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { CommunityProvider } from './community-providers-query.ts';
import { useChangeLink } from './use-change-link.ts';

interface EditLinkDialogProps {
  communityId: string;
  link: CommunityProvider;
  onClose(): void;
}

/** Renames a provider in a community, or closes it to new traders. */
export function EditLinkDialog({ communityId, link, onClose }: EditLinkDialogProps) {
  const { provider_id: providerId, display_name } = link;
  const [name, setName] = useState(link.custom_display_name ?? '');
  const [isActive, setActive] = useState(link.is_active);
  const { seen, refused } = useSeen(link, (present) => {
    setName(present.custom_display_name ?? '');
    setActive(present.is_active);
  });
  const changes = {
    ...(name.trim() !== (seen.custom_display_name ?? '') && { custom_display_name: name.trim() }),
    ...(isActive !== seen.is_active && { is_active: isActive }),
  };
  const change = useChangeLink(
    () =>
      call('PUT /api/communities/{id}/providers/{providerId}', {
        params: { id: communityId, providerId },
        body: { ...changes, version: seen.version },
      }),
    { title: 'Provider of the community updated', text: display_name, onClose, onError: refused },
  );
  return (
    <AskDialog
      title={`Edit ${display_name}`}
      text="Applies in this community only."
      confirm="Save"
      busy="Saving..."
      isBusy={change.isPending}
      error={change.error ? messageOf(change.error) : null}
      onConfirm={() => {
        if (Object.keys(changes).length > 0) return change.mutate(undefined);
        toast({ tone: 'neutral', title: 'No changes to save' });
        onClose();
      }}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <TextField
          label="Name in this community"
          name="custom_display_name"
          data-first-focus
          maxLength={200}
          autoComplete="off"
          value={name}
          placeholder={display_name}
          hint="Empty: its own display name"
          onChange={({ target }) => setName(target.value)}
        />
        <CheckField
          label="Open to new traders"
          checked={isActive}
          onChange={({ target }) => setActive(target.checked)}
          hint="Closed, its traders here stay: their accounts are read and their profits invoiced."
        />
      </div>
    </AskDialog>
  );
}
