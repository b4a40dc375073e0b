import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../lib/api/api-error.ts';
import { REFUSAL_KINDS } from '../../../lib/api/refusal-kinds.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { daysAgo, refusalsQuery } from '../people-queries.ts';

const DAYS = 30;

/** Refused attempts of a person in the last 30 days; nothing when there were none. */
export function RefusalsPanel({ userId }: { userId: string }) {
  const from = daysAgo(DAYS);
  const { data, error, refetch } = useQuery(refusalsQuery(userId, from));
  if (error && !data)
    return (
      <Panel title="Refused Attempts">
        <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
      </Panel>
    );
  if (!data || data.length === 0) return null;
  return (
    <Panel
      title="Refused Attempts"
      count={formatCount(data.reduce((sum, { count }) => sum + count, 0))}
      note={`last ${DAYS} days`}
      actions={
        <Link
          to="/audit"
          search={{ view: 'security', actor: userId, from }}
          className="rounded text-xs font-medium text-accent hover:underline"
        >
          Open security log
        </Link>
      }
    >
      <Facts>
        {data.map(({ kind, count, last_at }) => (
          <Fact key={kind} label={REFUSAL_KINDS[kind]}>
            <Count n={count} to={{ to: '/audit', search: { view: 'security', actor: userId, kind, from } }} />
            <When at={last_at} as="ago" className="ms-2 text-xs text-muted" />
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}
