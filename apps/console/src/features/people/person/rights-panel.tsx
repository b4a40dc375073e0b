import { CAPABILITIES, type Capability, DEFAULT_STAFF_ROLE, roleHas } from '@copydesk/domain/access';
import { compareNames } from '@copydesk/domain/text';
import { Link } from '@tanstack/react-router';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { Person, PersonDetail } from '../people-queries.ts';
import { CAPABILITY_WORDS, ROLE_WORDS } from '../roles/role-texts.ts';

/** What a person may do, and the role that allows it. */
export function RightsPanel({ person, names }: { person: PersonDetail; names: ReadonlyMap<string, string> }) {
  return (
    <Panel
      title="Rights"
      actions={
        <Link to="/roles" className="rounded text-xs text-accent hover:underline">
          All roles
        </Link>
      }
    >
      <Facts>
        {rightsOf(person, names).map(({ capability, grants }) => (
          <Fact key={capability} label={CAPABILITY_WORDS[capability].label}>
            {grants.length === 0 ? (
              <span className="text-muted">No</span>
            ) : (
              <ul>
                {grants.map((grant) => (
                  <li key={grant}>{grant}</li>
                ))}
              </ul>
            )}
          </Fact>
        ))}
        {person.super && !person.disabled && <Fact label="Administer the platform">Super admin</Fact>}
      </Facts>
    </Panel>
  );
}

/** A right of a person, and what it comes from. */
interface Right {
  capability: Capability;
  /** `Super admin`, or a role and its providers: `Staff of all 3`. Empty: the person lacks the right. */
  grants: string[];
}

type Granted = Pick<Person, 'super' | 'admin' | 'disabled' | 'provider_access' | 'staff_roles'>;

/**
 * Which grant allows what: for each capability the roles that include it, with the names of their providers.
 * @param names of providers, by id
 */
export function rightsOf(person: Granted, names: ReadonlyMap<string, string>): Right[] {
  return CAPABILITIES.map((capability) => ({ capability, grants: grantsOf(person, capability, names) }));
}

function grantsOf(person: Granted, capability: Capability, names: ReadonlyMap<string, string>): string[] {
  if (person.disabled || !person.admin) return [];
  if (person.super) return ['Super admin'];
  const byRole = new Map<string, string[]>();
  for (const id of person.provider_access) {
    const role = person.staff_roles[id] ?? DEFAULT_STAFF_ROLE;
    if (!roleHas(role, capability)) continue;
    const { label } = ROLE_WORDS[role];
    byRole.set(label, [...(byRole.get(label) ?? []), names.get(id) ?? 'Unknown']);
  }
  return [...byRole].map(([label, providers]) => {
    const isEverywhere = providers.length > 1 && providers.length === person.provider_access.length;
    return isEverywhere
      ? `${label} of all ${providers.length}`
      : `${label} of ${providers.toSorted(compareNames).join(', ')}`;
  });
}
