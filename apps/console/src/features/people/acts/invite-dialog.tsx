import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { peopleKeys } from '../people-queries.ts';
import type { NamedProvider } from '../person-texts.ts';
import { type Access, AccessFields, flagsOf } from './access-fields.tsx';
import { invitationNotice, LinkDialog } from './link-dialog.tsx';

/** Invites a person by mail, or with a link that is shown once. */
export function InviteDialog({
  providers,
  onClose,
}: {
  providers: readonly NamedProvider[];
  onClose(): void;
}) {
  const [link, setLink] = useState<string | null>(null);
  const form = useDialogForm({
    values: {
      email: '',
      access: { role: 'staff', provider_access: [], staff_roles: {} } as Access,
    },
    findErrors: ({ email }) =>
      /^\S+@\S+\.\S+$/.test(email.trim()) ? null : { email: 'Enter an e-mail address' },
    send: ({ email, access }) =>
      call('POST /api/users/invitations', { body: { email: email.trim(), ...flagsOf(access) } }),
    done: ({ data }, { email }) => invitationNotice(data, email.trim()),
    reads: peopleKeys.all,
    onDone: ({ data }) => (data.link === null ? onClose() : setLink(data.link)),
  });
  const { email, access } = form.values;
  if (link !== null) return <LinkDialog email={email.trim()} link={link} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title="Invite"
      text="The person accepts with a link that expires in 48 hours, and can then sign in."
      confirm="Invite"
      busy="Inviting..."
      onClose={onClose}
    >
      <TextField label="E-mail" name="email" type="email" autoComplete="off" maxLength={254} autoFocus />
      <AccessFields
        access={access}
        providers={providers}
        onChange={(changed) => form.set('access', changed)}
      />
    </FormDialog>
  );
}
