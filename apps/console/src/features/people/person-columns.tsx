import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/feedback/badge.tsx';
import { State } from '../../ui/feedback/state.tsx';
import { When } from '../../ui/figures/when.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import type { Person } from './people-queries.ts';
import type { NamedProvider } from './person-texts.ts';
import { providersText, roleOf, stateOf } from './person-texts.ts';

export function personColumns(providers: readonly NamedProvider[]): readonly PlainColumn<Person>[] {
  const names = new Map(providers.map(({ id, display_name }) => [id, display_name]));
  return [
    {
      id: 'person',
      header: 'Person',
      width: '30%',
      isPinned: true,
      onCard: 'lead',
      cell: ({ id, name, email }) => (
        <span className="flex min-w-0 flex-col md:py-1.5">
          <Link
            to="/people/$userId"
            params={{ userId: id }}
            className="truncate rounded font-medium hover:text-accent hover:underline"
          >
            {name}
          </Link>
          {name !== email && <span className="truncate text-xs font-normal text-muted">{email}</span>}
        </span>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      width: '22%',
      onCard: 'line',
      cell: (person) => {
        const role = roleOf(person);
        return (
          <span className="inline-flex flex-wrap gap-1">
            <Badge tone={role.tone}>{role.label}</Badge>
            {stateOf(person).map(({ label, tone }) => (
              <State key={label} tone={tone}>
                {label}
              </State>
            ))}
          </span>
        );
      },
    },
    {
      id: 'providers',
      header: 'Providers',
      width: '22%',
      onCard: 'line',
      cell: (person) => (
        <span className="block truncate" title={providersText(person, names)}>
          {providersText(person, names)}
        </span>
      ),
    },
    {
      id: 'factor',
      header: 'Second Factor',
      width: '12%',
      cell: ({ two_factor_enabled }) => (two_factor_enabled ? 'On' : <span className="text-muted">Off</span>),
    },
    {
      id: 'seen',
      header: 'Last Seen',
      width: '14%',
      align: 'end',
      cell: ({ last_seen_at }) =>
        last_seen_at ? <When at={last_seen_at} as="ago" /> : <span className="text-muted">Not yet</span>,
    },
  ];
}
