import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { SessionTable } from '../../../ui/feedback/session-table.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';

const KEY = ['own-sessions'];

/** Where the own account is signed in. */
export function OwnSessions() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    refetchOnMount: true,
    queryFn: async ({ signal }) => (await call('GET /api/me/sessions', { signal })).data,
  });
  const end = useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? call('DELETE /api/me/sessions')
        : call('DELETE /api/me/sessions/{id}', { params: { id } }),
    onSuccess: () => toast({ tone: 'positive', title: 'Signed out there' }),
    onError: (failure) =>
      toast({ tone: 'negative', title: 'The session was not ended', text: messageOf(failure) }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const hasOthers = data?.some(({ is_own }) => !is_own) ?? false;
  return (
    <Panel
      title="Sessions"
      flush
      {...(data && { count: data.length })}
      actions={
        <Button className="h-7!" disabled={!hasOthers || end.isPending} onClick={() => end.mutate(null)}>
          End All Others
        </Button>
      }
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The sessions could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading sessions..." />}
        isEmpty={false}
        empty={null}
      >
        <SessionTable sessions={data ?? []} onEnd={({ id }) => !end.isPending && end.mutate(id)} />
      </QueryState>
    </Panel>
  );
}
