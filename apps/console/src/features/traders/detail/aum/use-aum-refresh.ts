import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { invalidate } from '../../../../lib/api/read-again.ts';
import { tradersKeys } from '../../traders-queries.ts';
import { aumRefreshQuery } from './aum-refresh-query.ts';
import { type Outcome, REFRESH_FAILED, refreshOutcome } from './refresh-outcome.ts';

/** Starts a refresh and follows it to its end. Also follows one that was under way when the screen opened. */
export function useAumRefresh(traderId: string) {
  const client = useQueryClient();
  const query = aumRefreshQuery(traderId);
  const { data: refresh } = useQuery(query);
  /** The request time of the refresh seen running: only the end of that one is announced, not that of an older one. */
  const [followed, setFollowed] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const { mutate, isPending } = useMutation({
    mutationFn: () => call('POST /api/traders/{id}/refresh-aum', { params: { id: traderId } }),
    onMutate: () => setOutcome(null),
    onSuccess: async ({ data }) => {
      // A pending answer is about the previous refresh.
      await client.cancelQueries(query);
      client.setQueryData(query.queryKey, data);
      setFollowed(data.requested_at);
    },
    onError: () => setOutcome(REFRESH_FAILED),
  });

  useEffect(() => {
    if (!refresh) return;
    if (refresh.state === 'running') return setFollowed(refresh.requested_at);
    if (followed === null || refresh.requested_at !== followed) return;
    setFollowed(null);
    setOutcome(refreshOutcome(refresh));
    void invalidate(client, { queryKey: tradersKeys.detail(traderId) });
    void invalidate(client, { queryKey: tradersKeys.live(traderId) });
  }, [refresh, followed, client, traderId]);

  const isRunning = isPending || refresh?.state === 'running';
  return {
    isRunning,
    progress: refresh?.state === 'running' ? refresh : null,
    outcome: isRunning ? null : outcome,
    start: () => {
      if (!isRunning) mutate();
    },
  };
}
