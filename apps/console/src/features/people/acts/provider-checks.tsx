import { DEFAULT_STAFF_ROLE, STAFF_ROLE_NAMES, type StaffRole } from '@copydesk/domain/access';
import { CheckField } from '../../../ui/form/check-field.tsx';
import type { NamedProvider } from '../person-texts.ts';
import { ROLE_WORDS } from '../roles/role-texts.ts';

interface ProviderChecksProps {
  providers: readonly NamedProvider[];
  chosen: readonly string[];
  onChange(chosen: readonly string[]): void;
  /** Without it, only providers are chosen. */
  roles?: {
    byProvider: Readonly<Record<string, StaffRole>>;
    onChange(providerId: string, role: StaffRole): void;
  };
}

/** The providers that staff may see, and the role at each. */
export function ProviderChecks({ providers, chosen, roles, onChange }: ProviderChecksProps) {
  return (
    <fieldset>
      <legend className="font-medium">Providers</legend>
      <ul className="mt-1 max-h-60 overflow-auto">
        {providers.map(({ id, display_name }) => {
          const isChosen = chosen.includes(id);
          return (
            <li key={id} className="flex min-h-8 items-center justify-between gap-3">
              <CheckField
                label={display_name}
                checked={isChosen}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                }
              />
              {isChosen && roles && (
                <select
                  aria-label={`Role at ${display_name}`}
                  value={roles.byProvider[id] ?? DEFAULT_STAFF_ROLE}
                  onChange={({ target }) => roles.onChange(id, target.value as StaffRole)}
                  className="h-7 w-28 shrink-0 rounded-md border border-control bg-surface px-1.5 text-xs"
                >
                  {STAFF_ROLE_NAMES.map((role) => (
                    <option key={role} value={role}>
                      {ROLE_WORDS[role].label}
                    </option>
                  ))}
                </select>
              )}
            </li>
          );
        })}
      </ul>
      {chosen.length === 0 && (
        <p className="mt-1 text-xs text-muted">Without a provider there is nothing to see yet.</p>
      )}
    </fieldset>
  );
}
