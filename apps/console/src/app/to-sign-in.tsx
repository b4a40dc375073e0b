import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Loading } from '../ui/feedback/loading.tsx';
import { queryClient } from './query-client.ts';

/** Redirects to the sign-in page once and remembers the present page, except after a sign-out by choice. */
export function ToSignIn({ byChoice }: { byChoice: boolean }) {
  const router = useRouter();
  const [from] = useState(() => router.latestLocation.href);
  useEffect(() => {
    // The person's data does not outlive their session.
    queryClient.clear();
    const search = byChoice || from === '/' ? {} : { from };
    void router.navigate({ to: '/sign-in', search, replace: true });
  }, [router, from, byChoice]);
  return <Loading />;
}
