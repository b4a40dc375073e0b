import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Loading } from '../ui/feedback/loading.tsx';

/** Redirects to the sign-in page once and remembers the present page, except after a sign-out by choice. */
export function ToSignIn({ byChoice }: { byChoice: boolean }) {
  const router = useRouter();
  const [from] = useState(() => router.latestLocation.href);
  useEffect(() => {
    const search = byChoice || from === '/' ? {} : { from };
    void router.navigate({ to: '/sign-in', search, replace: true });
  }, [router, from, byChoice]);
  return <Loading />;
}
