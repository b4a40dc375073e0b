import { CAPABILITIES, roleHas, STAFF_ROLE_NAMES } from '@copydesk/domain/access';
import Check from 'lucide-react/icons/check';
import { Facts, StackedFact } from '../../../ui/figures/fact.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { CAPABILITY_WORDS, ROLE_WORDS } from './role-texts.ts';

function Mark({ isIncluded }: { isIncluded: boolean }) {
  return isIncluded ? (
    <>
      <Check className="mx-auto size-4 text-positive" aria-hidden="true" />
      <span className="sr-only">Yes</span>
    </>
  ) : (
    <span className="text-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">No</span>
    </span>
  );
}

/** What each role may do at its provider. */
export function RolesMatrix() {
  return (
    <Panel title="Roles of Staff" flush>
      <p className="px-4 pt-1 pb-3 text-muted">
        A role belongs to one provider: the same person can be an operator of one and a viewer of another.
        Super admins need no role.
      </p>
      {/* Relative: the hidden words in the cells would otherwise widen the page instead of this region. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <section aria-label="Roles and capabilities" tabIndex={0} className="relative overflow-x-auto">
        <table className="w-full min-w-[44rem] table-fixed">
          <thead>
            <tr className="bg-subtle align-bottom text-xs text-muted">
              <th scope="col" className="w-[34%] px-4 py-2 text-start font-medium">
                Capability
              </th>
              {STAFF_ROLE_NAMES.map((role) => (
                <th key={role} scope="col" className="px-2 py-2 text-center font-medium">
                  <span title={ROLE_WORDS[role].text}>{ROLE_WORDS[role].label}</span>
                </th>
              ))}
              <th scope="col" className="px-2 py-2 pe-4 text-center font-medium">
                Super admin
              </th>
            </tr>
          </thead>
          <tbody>
            {CAPABILITIES.map((capability) => (
              <tr key={capability} className="border-t border-line">
                <th scope="row" className="px-4 py-1.5 text-start font-normal">
                  {CAPABILITY_WORDS[capability].label}
                  <span className="block text-xs text-muted">{CAPABILITY_WORDS[capability].text}</span>
                </th>
                {STAFF_ROLE_NAMES.map((role) => (
                  <td key={role} className="px-2 text-center">
                    <Mark isIncluded={roleHas(role, capability)} />
                  </td>
                ))}
                <td className="px-2 pe-4 text-center">
                  <Mark isIncluded />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Facts className="grid gap-x-6 gap-y-2 border-t border-line px-4 py-3 text-xs sm:grid-cols-2 xl:grid-cols-5">
        {STAFF_ROLE_NAMES.map((role) => (
          <StackedFact
            key={role}
            label={<span className="font-medium text-ink">{ROLE_WORDS[role].label}</span>}
          >
            <span className="text-muted">{ROLE_WORDS[role].text}</span>
          </StackedFact>
        ))}
      </Facts>
    </Panel>
  );
}
