import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { readAgain } from '../../../../lib/api/read-again.ts';
import { Loading } from '../../../../ui/feedback/loading.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { SessionTable } from '../../../../ui/feedback/session-table.tsx';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { useAct } from '../../../../ui/form/use-act.ts';
import { Panel } from '../../../../ui/layout/panel.tsx';

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
    mutationFn: (id: string) => call('DELETE /api/me/sessions/{id}', { params: { id } }),
    onSuccess: () => toast({ tone: 'positive', title: 'Signed out there' }),
    onError: (failure) =>
      toast({ tone: 'negative', title: 'The session was not ended', text: messageOf(failure) }),
    onSettled: readAgain(client, KEY),
  });
  const [isAsked, setAsked] = useState(false);
  const endOthers = useAct({
    reads: KEY,
    send: () => call('DELETE /api/me/sessions'),
    done: () => ({ title: 'Signed out everywhere else' }),
    onDone: () => setAsked(false),
  });
  const hasOthers = data?.some(({ is_own }) => !is_own) ?? false;
  return (
    <Panel
      title="Sessions"
      flush
      {...(data && { count: data.length })}
      actions={
        <Button className="h-7!" disabled={!hasOthers || end.isPending} onClick={() => setAsked(true)}>
          End all others
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
      {isAsked && (
        <AskDialog
          title="End all other sessions"
          text="Every other browser is signed out. This one stays signed in."
          confirm="End sessions"
          busy="Ending..."
          isDanger
          {...endOthers}
          onClose={() => setAsked(false)}
        />
      )}
    </Panel>
  );
}
