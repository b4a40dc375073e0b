import { Link } from '@tanstack/react-router';
import { REFUSAL_KINDS } from '../../../lib/api/refusal-kinds.ts';
import { fullTime } from '../../../lib/format/read-time.ts';
import { Badge, type Tone } from '../../../ui/feedback/badge.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { When } from '../../../ui/figures/when.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { accountOf, attemptOf, callOf } from './attempt-texts.ts';
import type { RefusedAttempt } from './security-log-queries.ts';
import type { SecurityLogSearch } from './security-log-search.ts';

const TONES: Record<RefusedAttempt['kind'], Tone> = {
  access: 'caution',
  authentication: 'negative',
  reauthentication: 'negative',
  four_eyes: 'caution',
  rate: 'neutral',
};

const PRESSED = 'rounded hover:text-accent hover:underline';

type Filter = (change: SecurityLogSearch) => void;

function Caller({ attempt, onFilter }: { attempt: RefusedAttempt; onFilter: Filter }) {
  const { caller_kind: kind, caller_id: id, caller_name: name } = attempt;
  const account = accountOf(attempt);
  if (account)
    return (
      <span className="block min-w-0">
        <span className="text-muted">Unknown</span>
        <Link
          to="/people/$userId"
          params={{ userId: account.id }}
          title={account.name}
          className={`${PRESSED} block truncate text-xs`}
        >
          Account: {account.name}
        </Link>
      </span>
    );
  if (id === null || name === null) return <span className="text-muted">Unknown</span>;
  if (kind === 'service')
    return (
      <button
        type="button"
        title="Only attempts of this service token"
        className={`${PRESSED} block max-w-full truncate text-start font-medium`}
        onClick={() => onFilter({ actor: id })}
      >
        {name}
        <span className="block text-xs font-normal text-muted">Service token</span>
      </button>
    );
  return (
    <Link
      to="/people/$userId"
      params={{ userId: id }}
      title={name}
      className={`${PRESSED} block truncate font-medium`}
    >
      {name}
    </Link>
  );
}

/** Columns of the security log. */
export function attemptColumns(onFilter: Filter): readonly PlainColumn<RefusedAttempt>[] {
  return [
    {
      id: 'last',
      header: 'Last Time',
      width: '13%',
      isPinned: true,
      onCard: 'end',
      cell: ({ first_at, last_at, count }) => (
        <When
          at={last_at}
          title={count > 1 ? `${fullTime(first_at)} to ${fullTime(last_at)}` : fullTime(last_at)}
          className="text-xs font-normal whitespace-nowrap text-muted"
        />
      ),
    },
    {
      id: 'kind',
      header: 'Kind',
      width: '14%',
      onCard: 'lead',
      cell: ({ kind }) => <Badge tone={TONES[kind]}>{REFUSAL_KINDS[kind]}</Badge>,
    },
    {
      id: 'attempt',
      header: 'Attempt',
      width: '35%',
      onCard: 'line',
      cell: (attempt) => (
        <span className="block py-1.5 text-end text-pretty whitespace-normal md:text-start">
          {attemptOf(attempt)}
          <span className="block text-xs text-muted">{callOf(attempt)}</span>
        </span>
      ),
    },
    {
      id: 'caller',
      header: 'Caller',
      width: '19%',
      onCard: 'line',
      cell: (attempt) => <Caller attempt={attempt} onFilter={onFilter} />,
    },
    {
      id: 'network',
      header: 'Network',
      width: '12%',
      cell: ({ address }) =>
        address === null ? (
          <span className="text-muted">Not listed</span>
        ) : (
          <button
            type="button"
            title={`${address}: only attempts from this network`}
            className={`${PRESSED} block max-w-full truncate tabular-nums`}
            onClick={() => onFilter({ address })}
          >
            {address}
          </button>
        ),
    },
    {
      id: 'count',
      header: 'Times',
      width: '7%',
      align: 'end',
      cell: ({ count }) => <Count n={count} plain="The row is all that is stored of them" />,
    },
  ];
}
