import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { retryUnless } from '../../../lib/api/read-retry.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { CopyButton } from '../../../ui/figures/copy-button.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { OwnerDone, OwnerPage } from '../../../ui/layout/owner-page.tsx';

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
  const report = useMutation({
    mutationFn: () => call('POST /api/pool-owner/withdrawal/done', { body: { token } }),
    onSuccess: (answer) => client.setQueryData(queryKey, answer.data),
  });
  return (
    <OwnerPage data={data} error={error} onRetry={() => void refetch()} none="Nothing to report here">
      {(data) =>
        data.state === 'over' || !data.address ? (
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
            {data.state === 'reported' && <OwnerDone>{data.words.reported}</OwnerDone>}
            <Button
              look={data.state === 'reported' ? 'outline' : 'primary'}
              className="h-9! w-full"
              aria-disabled={report.isPending}
              onClick={() => !report.isPending && report.mutate()}
            >
              {data.words.report}
            </Button>
          </>
        )
      }
    </OwnerPage>
  );
}
