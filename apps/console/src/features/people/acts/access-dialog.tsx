import { DEFAULT_STAFF_ROLE } from '@copydesk/domain/access';
import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
import { type Person, peopleKeys } from '../people-queries.ts';
import { type NamedProvider, roleOf } from '../person-texts.ts';
import { type Access, AccessFields, flagsOf } from './access-fields.tsx';

interface AccessDialogProps {
  person: Person;
  providers: readonly NamedProvider[];
  onClose(): void;
}

/** Changes the access of a person, from the next request on. */
export function AccessDialog({ person, providers, onClose }: AccessDialogProps) {
  const form = useEditForm({
    record: person,
    valuesOf: (seen) => ({ access: accessOf(seen) }),
    changesOf: ({ access }, seen) => accessChanges(accessOf(seen), access),
    send: (body) => call('PATCH /api/users/{id}', { params: { id: person.id }, body }),
    done: () => ({ title: 'Access changed', text: person.email }),
    reads: peopleKeys.all,
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Access of ${person.name}`}
      text="Applies from their next request, in every open window."
      confirm="Save"
      busy="Saving..."
      onClose={onClose}
    >
      <AccessFields
        access={form.values.access}
        providers={providers}
        onChange={(access) => form.set('access', access)}
      />
    </FormDialog>
  );
}

/** The access of a person in the form of the dialog. */
function accessOf(person: Person): Access {
  const { id: role } = roleOf(person);
  return {
    role: role === 'no_access' ? 'staff' : role,
    provider_access: person.provider_access,
    staff_roles: person.staff_roles,
  };
}

/** The request for a changed access: only what differs, so that saving gives nothing back that another person took away. */
export function accessChanges(before: Access, after: Access) {
  const [from, to] = [flagsOf(before), flagsOf(after)];
  const held = after.role === before.role ? from.provider_access : [...before.provider_access];
  const added = to.provider_access.filter((id) => !held.includes(id));
  const removed = held.filter((id) => !to.provider_access.includes(id));
  const roles = to.provider_access
    .map((id) => [id, after.staff_roles[id] ?? DEFAULT_STAFF_ROLE] as const)
    .filter(([id, role]) => role !== (before.staff_roles[id] ?? DEFAULT_STAFF_ROLE));
  return {
    ...(to.admin !== from.admin && { admin: to.admin }),
    ...(to.super !== from.super && { super: to.super }),
    ...(added.length + removed.length > 0 && { provider_access: { added, removed } }),
    ...(roles.length > 0 && { staff_roles: Object.fromEntries(roles) }),
  };
}
