import type { StaffRole } from '@copydesk/domain/access';
import { SelectField } from '../../../ui/form/select-field.tsx';
import type { NamedProvider } from '../person-texts.ts';
import { ProviderChecks } from './provider-checks.tsx';

/** The access of a person: a role, and for staff the providers. */
export interface Access {
  role: 'super' | 'staff' | 'not_admin';
  provider_access: readonly string[];
  /** By provider; others have the default role. */
  staff_roles: Readonly<Record<string, StaffRole>>;
}

/** The flags of the API for an access. */
export const flagsOf = ({ role, provider_access, staff_roles }: Access) => ({
  admin: role !== 'not_admin',
  super: role === 'super',
  provider_access: role === 'staff' ? [...provider_access] : [],
  staff_roles: role === 'staff' ? pick(staff_roles, provider_access) : {},
});

const pick = (roles: Access['staff_roles'], ids: readonly string[]) =>
  Object.fromEntries(Object.entries(roles).filter(([id]) => ids.includes(id)));

const TEXTS: Record<Access['role'], string> = {
  super:
    'Sees everything and administers the platform. Another super admin has to confirm them before they may approve payouts.',
  staff:
    'Sees the traders, invoices and payouts of these providers. Their role at each provider decides what else they may do.',
  not_admin: 'May sign in, and sees nothing here.',
};

interface AccessFieldsProps {
  access: Access;
  providers: readonly NamedProvider[];
  onChange(access: Access): void;
}

/** Fields for a role, and for the providers of staff. */
export function AccessFields({ access, providers, onChange }: AccessFieldsProps) {
  return (
    <div className="space-y-3.5">
      <div>
        <SelectField
          label="Role"
          value={access.role}
          options={[
            { value: 'staff', label: 'Staff of providers' },
            { value: 'super', label: 'Super admin' },
            { value: 'not_admin', label: 'Not an admin' },
          ]}
          onChange={({ target }) => onChange({ ...access, role: target.value as Access['role'] })}
        />
        <p className="mt-1 text-xs text-muted">{TEXTS[access.role]}</p>
      </div>
      {access.role === 'staff' && (
        <ProviderChecks
          providers={providers}
          chosen={access.provider_access}
          onChange={(provider_access) => onChange({ ...access, provider_access })}
          roles={{
            byProvider: access.staff_roles,
            onChange: (id, role) =>
              onChange({ ...access, staff_roles: { ...access.staff_roles, [id]: role } }),
          }}
        />
      )}
    </div>
  );
}
