import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { NamedProvider } from '../person-texts.ts';
import { type Access, AccessFields, flagsOf } from './access-fields.tsx';
import { invitationNotice, LinkDialog } from './link-dialog.tsx';
import { usePersonAct } from './use-person-act.ts';

/** Invites a person by mail, or with a link that is shown once. */
export function InviteDialog({
  providers,
  onClose,
}: {
  providers: readonly NamedProvider[];
  onClose(): void;
}) {
  const [email, setEmail] = useState('');
  const [missing, setMissing] = useState<string | undefined>();
  const [access, setAccess] = useState<Access>({ role: 'staff', provider_access: [], staff_roles: {} });
  const [link, setLink] = useState<string | null>(null);
  const address = email.trim();
  const invite = usePersonAct({
    send: () => call('POST /api/users/invitations', { body: { email: address, ...flagsOf(access) } }),
    done: ({ data }) => invitationNotice(data, address),
    onDone: ({ data }) => (data.link === null ? onClose() : setLink(data.link)),
  });
  if (link !== null) return <LinkDialog email={address} link={link} onClose={onClose} />;
  return (
    <AskDialog
      title="Invite"
      text="The person accepts with a link that expires in 48 hours, and can then sign in."
      confirm="Invite"
      busy="Inviting..."
      {...invite}
      onConfirm={() => {
        const isAddress = /^\S+@\S+\.\S+$/.test(address);
        setMissing(isAddress ? undefined : 'Enter an e-mail address');
        if (isAddress) invite.onConfirm();
      }}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={254}
          autoFocus
          value={email}
          error={missing}
          onChange={({ target }) => setEmail(target.value)}
        />
        <AccessFields access={access} providers={providers} onChange={setAccess} />
      </div>
    </AskDialog>
  );
}
