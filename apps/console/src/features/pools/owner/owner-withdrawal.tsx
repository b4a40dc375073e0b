import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import Link2Off from 'lucide-react/icons/link-2-off';
import { call } from '../../../lib/api/api.ts';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { retryUnless } from '../../../lib/api/read-retry.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { CopyButton } from '../../../ui/figures/copy-button.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';

const LOOK_EVERY_MS = 15_000;
const isFinal = (status: number) => status >= 400 && status < 500;

/**
 * What an owner is asked to withdraw, and where they report it. The server speaks the owner's language; the token of the
 * link is the only proof.
 */
export function OwnerWithdrawal({ token }: { token: string }) {
  const client = useQueryClient();
  const queryKey = ['pool-owner', token];
  const { data, error, refetch } = useQuery({
    queryKey,
    retry: retryUnless(isFinal, 3),
    queryFn: async ({ signal }) =>
      (await call('POST /api/pool-owner/withdrawal', { body: { token }, signal })).data,
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'over' ? LOOK_EVERY_MS : false),
  });
  const isGone = error instanceof ApiError && error.code === 'link_invalid';
  const report = useMutation({
    mutationFn: () => call('POST /api/pool-owner/withdrawal/done', { body: { token } }),
    onSuccess: (answer) => client.setQueryData(queryKey, answer.data),
  });
  return (
    <QueryState
      small
      error={
        error && !data && !isGone
          ? { title: 'This page could not be loaded', message: messageOf(error) }
          : null
      }
      onRetry={() => void refetch()}
      isLoading={!data && !error}
      loading={<p role="status" className="h-40 animate-pulse rounded bg-subtle" />}
      isEmpty={!data}
      empty={
        <MessagePanel
          icon={Link2Off}
          level={1}
          small
          alert
          title="Nothing to report here"
          text={messageOf(error)}
        />
      }
    >
      {data && (
        <div lang={data.language} dir={data.language === 'ar' ? 'rtl' : 'ltr'} className="space-y-4">
          <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
            {data.words.title}
          </h1>
          {data.state === 'over' || !data.address ? (
            <p role="status" className="text-muted">
              {data.words.over}
            </p>
          ) : (
            <>
              <p>{data.words.ask}</p>
              <p className="flex items-start gap-2 rounded-md bg-subtle p-3" dir="ltr">
                <WholeAddress address={data.address} className="flex-1" />
                <CopyButton what="address" getText={() => data.address as string} isQuiet />
              </p>
              <p className="text-muted">{data.words.all}</p>
              <FormError message={report.error ? messageOf(report.error) : null} />
              {data.state === 'reported' && (
                <p role="status" className="flex items-start gap-2 text-positive">
                  <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
                  {data.words.reported}
                </p>
              )}
              <Button
                look={data.state === 'reported' ? 'outline' : 'primary'}
                className="h-9! w-full"
                aria-disabled={report.isPending}
                onClick={() => !report.isPending && report.mutate()}
              >
                {data.words.report}
              </Button>
            </>
          )}
        </div>
      )}
    </QueryState>
  );
}
