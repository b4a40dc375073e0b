import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { viewAs } from '../../../lib/view-as.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import type { Person } from '../people-queries.ts';
import { invitationNotice, LinkDialog } from './link-dialog.tsx';
import { usePersonAct } from './use-person-act.ts';

export type PersonActName =
  | 'disable'
  | 'enable'
  | 'confirm'
  | 'renew'
  | 'end_sessions'
  | 'second_factor'
  | 'view_as';

interface Act {
  title: string;
  text: string;
  confirm: string;
  isDanger?: boolean;
  done: string;
  send(id: string, version: string): Promise<{ data: unknown }>;
}

const ACTS: Record<PersonActName, Act> = {
  disable: {
    title: 'Disable',
    text: 'Their sessions, service tokens and open links end at once. A super admin who is enabled again has to be confirmed again, not by you.',
    confirm: 'Disable',
    isDanger: true,
    done: 'Account disabled',
    send: (id) => call('PATCH /api/users/{id}', { params: { id }, body: { disabled: true } }),
  },
  enable: {
    title: 'Enable',
    text: 'They may sign in again with the access that they had. Service tokens stay revoked, and a super admin has to be confirmed again.',
    confirm: 'Enable',
    done: 'Account enabled',
    send: (id, version) =>
      call('PATCH /api/users/{id}', { params: { id }, body: { disabled: false, version } }),
  },
  confirm: {
    title: 'Confirm',
    text: 'You vouch that this is a separate person whom you know. They may then approve payouts and confirm others.',
    confirm: 'Confirm',
    done: 'Super admin confirmed',
    send: (id) => call('POST /api/users/{id}/confirm', { params: { id } }),
  },
  renew: {
    title: 'Invite again',
    text: 'Earlier links stop working. The access stays the same. You become the inviter.',
    confirm: 'Invite again',
    done: 'Invitation sent',
    send: (id) => call('POST /api/users/{id}/invitation', { params: { id } }),
  },
  end_sessions: {
    title: 'End sessions',
    text: 'They are signed out everywhere and may sign in again.',
    confirm: 'End sessions',
    isDanger: true,
    done: 'Sessions ended',
    send: (id) => call('DELETE /api/users/{id}/sessions', { params: { id } }),
  },
  view_as: {
    title: 'View as',
    text: 'For half an hour this window shows what they see. You cannot change anything meanwhile. The audit records the view.',
    confirm: 'View',
    done: 'Viewing',
    send: (id) => call('POST /api/users/{id}/view-as', { params: { id } }),
  },
  second_factor: {
    title: 'Remove second factor',
    text: 'Use this when the device and the backup codes are lost. Verify who is asking first. They are signed out, sign in without it, and set up a new one. A super admin then has to be confirmed again, not by you.',
    confirm: 'Remove',
    isDanger: true,
    done: 'Second factor removed',
    send: (id) => call('DELETE /api/users/{id}/second-factor', { params: { id } }),
  },
};

interface PersonActDialogProps {
  act: PersonActName;
  person: Person;
  onClose(): void;
}

/** Asks for confirmation of an act on an account. */
export function PersonActDialog({ act, person, onClose }: PersonActDialogProps) {
  const { title, text, confirm, isDanger = false, done, send } = ACTS[act];
  const [link, setLink] = useState<string | null>(null);
  const run = usePersonAct({
    send: () => send(person.id, person.version),
    done: ({ data }) =>
      act === 'renew'
        ? invitationNotice(data as Parameters<typeof invitationNotice>[0], person.email)
        : { title: done, text: person.email },
    onDone: ({ data }) => {
      const shown = linkIn(data);
      if (act === 'view_as') viewAs(person.id, '/');
      else if (shown === null) onClose();
      else setLink(shown);
    },
  });
  if (link !== null) return <LinkDialog email={person.email} link={link} onClose={onClose} />;
  return (
    <AskDialog
      title={`${title}: ${person.name}`}
      text={text}
      confirm={confirm}
      busy="Working..."
      isDanger={isDanger}
      {...run}
      onClose={onClose}
    />
  );
}

/** The link of an invitation that was not e-mailed. */
function linkIn(data: unknown): string | null {
  return (data as { link?: string | null } | undefined)?.link ?? null;
}
