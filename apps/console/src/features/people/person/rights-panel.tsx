import { Link } from '@tanstack/react-router';
import { Fact } from '../../../ui/figures/fact.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PersonDetail } from '../people-queries.ts';
import { CAPABILITY_WORDS } from '../roles/role-words.ts';
import { rightsOf } from './rights-of.ts';

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
      <dl>
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
      </dl>
    </Panel>
  );
}
