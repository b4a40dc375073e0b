import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import type { Waiting } from '../people-queries.ts';
import type { NamedProvider } from '../person-texts.ts';
import { invitationNotice, LinkDialog } from './link-dialog.tsx';
import { ProviderChecks } from './provider-checks.tsx';
import { usePersonAct } from './use-person-act.ts';

interface ApproveDialogProps {
  entry: Waiting;
  providers: readonly NamedProvider[];
  onClose(): void;
}

/** Approves a request for access by an invitation as staff. */
export function ApproveDialog({ entry, providers, onClose }: ApproveDialogProps) {
  const [providerIds, setProviderIds] = useState<readonly string[]>([]);
  const [link, setLink] = useState<string | null>(null);
  const approve = usePersonAct({
    send: () =>
      call('POST /api/waitlist/{id}/approve', {
        params: { id: entry.id },
        body: { provider_access: [...providerIds] },
      }),
    done: ({ data }) => invitationNotice(data, entry.email),
    onDone: ({ data }) => (data.link === null ? onClose() : setLink(data.link)),
  });
  if (link !== null) return <LinkDialog email={entry.email} link={link} onClose={onClose} />;
  return (
    <AskDialog
      title={`Approve ${entry.name}`}
      text={`${entry.email} is invited as staff of these providers. The address has not been checked: make sure that it is theirs.`}
      confirm="Invite"
      busy="Inviting..."
      {...approve}
      onClose={onClose}
    >
      <ProviderChecks providers={providers} chosen={providerIds} onChange={setProviderIds} />
    </AskDialog>
  );
}
