import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { flooredUsd, raisedUsd } from '../../../../lib/format/figures.ts';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { Progress } from '../../../../ui/figures/progress.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { tradersKeys } from '../../traders-queries.ts';

/** The trader's VIP level, its benefits, and the way to the next one. */
export function VipPanel({ traderId }: { traderId: string }) {
  const { data, error, refetch } = useQuery(vipQuery(traderId));
  return (
    <Panel title="VIP Level">
      <QueryState
        small
        error={
          error && !data ? { title: 'The VIP level could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<div aria-hidden="true" className="skeleton h-16" />}
        isEmpty={false}
        empty={null}
      >
        {data && (
          <>
            <p className="text-base font-semibold">{data.name}</p>
            {data.benefits && <p className="text-muted">{data.benefits}</p>}
            {data.next_level ? (
              <>
                {data.progress !== null && (
                  <Progress
                    label={`Progress to ${data.next_level.name}`}
                    value={data.progress}
                    max={1}
                    className="mt-2 h-1.5 w-full"
                  />
                )}
                <p className="mt-1.5 text-xs text-muted tabular-nums">
                  {data.next_level.missing_aum === null
                    ? `By the whole AUM, of which you see a part. Next: ${data.next_level.name}, from ${flooredUsd(data.next_level.min_aum)}`
                    : `${raisedUsd(data.next_level.missing_aum)} of AUM more for ${data.next_level.name}`}
                  {data.next_level.benefits && `: ${data.next_level.benefits}`}
                </p>
              </>
            ) : (
              <p className="mt-1 text-xs text-muted">The highest level</p>
            )}
          </>
        )}
      </QueryState>
    </Panel>
  );
}

/** The VIP level of a trader by its AUM. */
const vipQuery = (id: string) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(id), 'vip'],
    staleTime: 30_000,
    queryFn: async ({ signal }) => (await call('GET /api/traders/{id}/vip', { params: { id }, signal })).data,
  });
