import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import type { Person } from '../people-queries.ts';
import type { NamedProvider } from '../person-words.ts';
import { roleOf } from '../person-words.ts';
import { type Access, AccessFields, flagsOf } from './access-fields.tsx';
import { usePersonAct } from './use-person-act.ts';

interface AccessDialogProps {
  person: Person;
  providers: readonly NamedProvider[];
  onClose(): void;
}

/** Changes the access of a person, from the next request on. */
export function AccessDialog({ person, providers, onClose }: AccessDialogProps) {
  const role = roleOf(person).id;
  const [access, setAccess] = useState<Access>({
    role: role === 'no_access' ? 'staff' : role,
    provider_access: person.provider_access,
    staff_roles: person.staff_roles,
  });
  const change = usePersonAct({
    send: () => call('PATCH /api/users/{id}', { params: { id: person.id }, body: flagsOf(access) }),
    done: () => ({ title: 'Access changed', text: person.email }),
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Access of ${person.name}`}
      text="Applies from their next request, in every open window."
      confirm="Save"
      busy="Saving..."
      {...change}
      onClose={onClose}
    >
      <AccessFields access={access} providers={providers} onChange={setAccess} />
    </AskDialog>
  );
}
