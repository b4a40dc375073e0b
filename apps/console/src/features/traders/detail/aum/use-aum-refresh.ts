import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../../lib/api.ts';
import { tradersKeys } from '../../traders-queries.ts';
import { aumRefreshQuery } from './aum-refresh-query.ts';
import { type Outcome, REFRESH_FAILED, refreshOutcome } from './refresh-outcome.ts';

/** Starts a refresh and follows it to its end. One that was under way when the screen opened is followed as well. */
export function useAumRefresh(traderId: string) {
  const client = useQueryClient();
  const query = aumRefreshQuery(traderId);
  const { data: refresh } = useQuery(query);
  /** When the refresh was asked for that was seen to run: its end is news, that of an older one is not. */
  const [followed, setFollowed] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const { mutate, isPending } = useMutation({
    mutationFn: () => call('POST /api/traders/{id}/refresh-aum', { params: { id: traderId } }),
    onMutate: () => setOutcome(null),
    onSuccess: async ({ data }) => {
      // An answer on its way is about the refresh before this one.
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
    void client.invalidateQueries({ queryKey: tradersKeys.detail(traderId) });
    void client.invalidateQueries({ queryKey: tradersKeys.live(traderId) });
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
