import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { peopleKeys, type Waiting } from '../people-queries.ts';
import type { NamedProvider } from '../person-texts.ts';
import { invitationNotice, LinkDialog } from './link-dialog.tsx';
import { ProviderChecks } from './provider-checks.tsx';

interface ApproveDialogProps {
  entry: Waiting;
  providers: readonly NamedProvider[];
  onClose(): void;
}

/** Approves a request for access by an invitation as staff. */
export function ApproveDialog({ entry, providers, onClose }: ApproveDialogProps) {
  const [link, setLink] = useState<string | null>(null);
  const form = useDialogForm({
    values: { provider_access: [] as readonly string[] },
    send: ({ provider_access }) =>
      call('POST /api/waitlist/{id}/approve', {
        params: { id: entry.id },
        body: { provider_access: [...provider_access] },
      }),
    done: ({ data }) => invitationNotice(data, entry.email),
    reads: peopleKeys.all,
    onDone: ({ data }) => (data.link === null ? onClose() : setLink(data.link)),
  });
  if (link !== null) return <LinkDialog email={entry.email} link={link} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={`Approve ${entry.name}`}
      text={`${entry.email} is invited as staff of these providers. The address has not been checked: make sure that it is theirs.`}
      confirm="Invite"
      busy="Inviting..."
      onClose={onClose}
    >
      <ProviderChecks
        providers={providers}
        chosen={form.values.provider_access}
        onChange={(chosen) => form.set('provider_access', chosen)}
      />
    </FormDialog>
  );
}
