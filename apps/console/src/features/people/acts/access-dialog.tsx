import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import type { Person } from '../people-queries.ts';
import type { NamedProvider } from '../person-words.ts';
import { accessChanges, accessOf } from './access-changes.ts';
import { AccessFields } from './access-fields.tsx';
import { usePersonAct } from './use-person-act.ts';

interface AccessDialogProps {
  person: Person;
  providers: readonly NamedProvider[];
  onClose(): void;
}

/** Changes the access of a person, from the next request on. */
export function AccessDialog({ person, providers, onClose }: AccessDialogProps) {
  const [access, setAccess] = useState(() => accessOf(person));
  const { seen, refused } = useSeen(person, (present) => setAccess(accessOf(present)));
  const changes = accessChanges(accessOf(seen), access);
  const change = usePersonAct({
    send: () =>
      call('PATCH /api/users/{id}', {
        params: { id: person.id },
        body: { ...changes, version: seen.version },
      }),
    done: () => ({ title: 'Access changed', text: person.email }),
    onDone: onClose,
    onError: refused,
  });
  return (
    <AskDialog
      title={`Access of ${person.name}`}
      text="Applies from their next request, in every open window."
      confirm="Save"
      busy="Saving..."
      {...change}
      onConfirm={() => {
        if (Object.keys(changes).length > 0) return change.onConfirm();
        toast({ tone: 'neutral', title: 'No changes to save' });
        onClose();
      }}
      onClose={onClose}
    >
      <AccessFields access={access} providers={providers} onChange={setAccess} />
    </AskDialog>
  );
}
