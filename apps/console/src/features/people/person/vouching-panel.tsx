import { Link } from '@tanstack/react-router';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PersonDetail } from '../people-queries.ts';

const WORDS = {
  invited: 'Invited',
  promoted: 'Promoted to super admin',
  reset: 'Second factor removed',
} as const;

/** The sponsors of a person, and the people whose sponsor it is. The four-eyes rule depends on both. */
export function VouchingPanel({ person: { sponsors, sponsored } }: { person: PersonDetail }) {
  return (
    <Panel title="Invitations">
      {sponsors.length === 0 ? (
        <p className="text-muted">Created on the server, without an invitation by another user.</p>
      ) : (
        <ul aria-label="Sponsors" className="space-y-1">
          {sponsors.map(({ act, at, by }) => (
            <li key={`${act} ${at} ${by}`} className="flex justify-between gap-4">
              <span className="min-w-0 break-words">
                {WORDS[act]} by {by}
              </span>
              <When at={at} className="shrink-0 text-xs text-muted" />
            </li>
          ))}
        </ul>
      )}
      {sponsored.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 text-xs font-semibold text-muted">Acts of this person</h3>
          <ul className="space-y-1">
            {sponsored.map(({ id, email, act, at }) => (
              <li key={`${id} ${act} ${at}`} className="flex justify-between gap-4">
                <span className="min-w-0 break-words">
                  {WORDS[act]}:{' '}
                  <Link
                    to="/people/$userId"
                    params={{ userId: id }}
                    className="rounded font-medium hover:text-accent hover:underline"
                  >
                    {email}
                  </Link>
                </span>
                <When at={at} className="shrink-0 text-xs text-muted" />
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
