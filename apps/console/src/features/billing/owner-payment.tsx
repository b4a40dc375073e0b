import { useMutation, useQuery } from '@tanstack/react-query';
import Hourglass from 'lucide-react/icons/hourglass';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { retryUnless } from '../../lib/api/read-retry.ts';
import { Button } from '../../ui/form/button.tsx';
import { FormError } from '../../ui/form/form-error.tsx';
import { OwnerDone, OwnerPage } from '../../ui/layout/owner-page.tsx';
import type { Interval } from './subscription-query.ts';

/** Events of Stripe take seconds. */
const LOOK_SOON_MS = 3_000;
const LOOK_EVERY_MS = 15_000;
/** After this long something is wrong, and the owner may pay after all. */
const PATIENCE_MS = 60_000;
const isFinal = (status: number) => status >= 400 && status < 500;

/**
 * Where the owner of a community pays for its subscription. The token of the link is the only proof.
 * @param isReturning from the page of a payment, which may not be known yet
 */
export function OwnerPayment({ token, isReturning }: { token: string; isReturning: boolean }) {
  const [isAwaited, setAwaited] = useState(isReturning);
  useEffect(() => {
    const timer = setTimeout(() => setAwaited(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data, error, refetch } = useQuery({
    queryKey: ['community-owner', token],
    retry: retryUnless(isFinal, 3),
    queryFn: async ({ signal }) =>
      (await call('POST /api/community-owner/payment', { body: { token }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.state === 'plan' || state.data?.state === 'unpaid'
        ? isAwaited
          ? LOOK_SOON_MS
          : LOOK_EVERY_MS
        : false,
  });
  const open = useMutation({
    mutationFn: (interval: Interval | null) =>
      call('POST /api/community-owner/payment/page', { body: { token, interval } }),
    onSuccess: ({ data: { url } }) => window.location.assign(url),
    // It may have been paid or archived meanwhile: the page says what is left.
    onError: () => void refetch(),
  });
  return (
    <OwnerPage data={data} error={error} onRetry={() => void refetch()} none="Nothing to pay here">
      {({ state, plans, words }) => {
        if (state === 'paid') return <OwnerDone>{words.paid}</OwnerDone>;
        if (state === 'over')
          return (
            <p role="status" className="text-muted">
              {words.over}
            </p>
          );
        if (isAwaited)
          return (
            <p role="status" className="flex items-start gap-2">
              <Hourglass className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
              {words.awaited}
            </p>
          );
        const choices: { interval: Interval | null; label: string }[] =
          state === 'plan' ? plans : [{ interval: null, label: words.pay }];
        return (
          <>
            <p>{words[state]}</p>
            <FormError message={open.error ? words.failed : null} />
            <div className="grid gap-2">
              {choices.map(({ interval, label }, at) => (
                <Button
                  key={interval}
                  look={at === 0 ? 'primary' : 'outline'}
                  className="h-9! w-full"
                  aria-disabled={open.isPending}
                  onClick={() => !open.isPending && open.mutate(interval)}
                >
                  {label}
                </Button>
              ))}
            </div>
          </>
        );
      }}
    </OwnerPage>
  );
}
