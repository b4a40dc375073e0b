import { DEFAULT_STAFF_ROLE } from '@copydesk/domain/access';
import { type ReactNode, useState } from 'react';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { PageHeader } from '../../../ui/layout/page.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { AccessDialog } from '../acts/access-dialog.tsx';
import { PersonActDialog, type PersonActName } from '../acts/person-act-dialog.tsx';
import type { PersonDetail } from '../people-queries.ts';
import type { NamedProvider } from '../person-texts.ts';
import { roleOf, stateOf } from '../person-texts.ts';
import { ROLE_WORDS } from '../roles/role-texts.ts';
import { RefusalsPanel } from './refusals-panel.tsx';
import { RightsPanel } from './rights-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { VouchingPanel } from './vouching-panel.tsx';

interface PersonViewProps {
  person: PersonDetail;
  providers: readonly NamedProvider[];
  /** The reader's own account. */
  isOwn: boolean;
  back: ReactNode;
}

/** One account: access, second factor, sessions, and sponsors. */
export function PersonView({ person, providers, isOwn, back }: PersonViewProps) {
  const [asked, setAsked] = useState<PersonActName | 'access' | null>(null);
  const close = () => setAsked(null);
  const role = roleOf(person);
  const names = new Map(providers.map(({ id, display_name }) => [id, display_name]));
  return (
    <>
      <PageHeader
        back={back}
        title={person.name}
        facts={
          <>
            <Badge tone={role.tone}>{role.label}</Badge>
            {stateOf(person).map(({ label, tone }) => (
              <State key={label} tone={tone}>
                {label}
              </State>
            ))}
            <p className="flex flex-wrap gap-x-3 text-xs text-muted">
              <span>{person.email}</span>
              <span>
                Created <When at={person.created_at} as="ago" />
              </span>
              {person.last_seen_at ? (
                <span>
                  Last seen <When at={person.last_seen_at} as="ago" />
                </span>
              ) : (
                <span>Not seen yet</span>
              )}
            </p>
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[24rem_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel
            title="Access"
            actions={
              <Button className="h-7!" disabled={person.disabled} onClick={() => setAsked('access')}>
                Change
              </Button>
            }
          >
            <Facts>
              <Fact label="Role">{role.label}</Fact>
              <Fact label="Providers">
                {person.super ? (
                  'All'
                ) : person.provider_access.length === 0 ? (
                  <span className="text-muted">None</span>
                ) : (
                  <ul>
                    {person.provider_access.map((id) => (
                      <li key={id}>
                        {names.get(id) ?? 'Unknown'}
                        <span className="block text-xs text-muted">
                          {ROLE_WORDS[person.staff_roles[id] ?? DEFAULT_STAFF_ROLE].label}
                        </span>
                      </li>
                    ))}
                  </ul>
                )}
              </Fact>
              {person.super && (
                <Fact label="Confirmed">
                  {person.confirmed_at ? (
                    <>
                      <When at={person.confirmed_at} />
                      <span className="block text-xs text-muted">
                        by {person.confirmed_by ?? 'an operator of the server'}
                      </span>
                    </>
                  ) : (
                    <span className="text-caution">Not yet: may not approve payouts</span>
                  )}
                </Fact>
              )}
              <Fact label="Second factor">
                {person.two_factor_enabled ? (
                  'On'
                ) : (
                  <span className={person.super ? 'text-caution' : 'text-muted'}>Off</span>
                )}
              </Fact>
              {!person.active && (
                <Fact label="Invitation">
                  {person.invitation_expires_at ? (
                    <>
                      Ends <When at={person.invitation_expires_at} />
                    </>
                  ) : (
                    'Expired'
                  )}
                </Fact>
              )}
              {person.failed_mail && (
                <Fact label="Mail">
                  <span className="text-caution">
                    {person.failed_mail.problem === 'expired'
                      ? 'A mail was not taken in time'
                      : `The mail server refused a mail (${person.failed_mail.problem})`}
                  </span>
                  <When at={person.failed_mail.at} as="ago" className="block text-xs text-muted" />
                </Fact>
              )}
            </Facts>
            <div className="mt-3 flex flex-wrap gap-2">
              {person.super && !person.confirmed && !isOwn && !person.disabled && (
                <Button look="primary" onClick={() => setAsked('confirm')}>
                  Confirm
                </Button>
              )}
              {!person.active && !person.disabled && (
                <Button onClick={() => setAsked('renew')}>Invite again</Button>
              )}
              {!person.super && person.admin && !person.disabled && (
                <Button onClick={() => setAsked('view_as')}>View as</Button>
              )}
              {person.two_factor_enabled && !isOwn && (
                <Button look="danger" onClick={() => setAsked('second_factor')}>
                  Remove second factor
                </Button>
              )}
              {person.disabled ? (
                <Button onClick={() => setAsked('enable')}>Enable</Button>
              ) : (
                <Button look="danger" onClick={() => setAsked('disable')}>
                  Disable
                </Button>
              )}
            </div>
          </Panel>
          <RightsPanel person={person} names={names} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <SessionsPanel sessions={person.sessions} onEnd={() => setAsked('end_sessions')} />
          <VouchingPanel person={person} />
          <RefusalsPanel userId={person.id} />
        </div>
      </div>
      {asked === 'access' && <AccessDialog person={person} providers={providers} onClose={close} />}
      {asked && asked !== 'access' && <PersonActDialog act={asked} person={person} onClose={close} />}
    </>
  );
}
