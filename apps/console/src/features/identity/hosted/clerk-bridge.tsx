import { useClerk, useReverification, useUser } from '@clerk/react';
import { useEffect } from 'react';
import { asking, isJustProven, reverificationHint } from './reverification.ts';
import { service, tokens } from './service.ts';

/** Hands the loaded service, and its question for another proof, to the code outside of components. */
export function ClerkBridge() {
  const clerk = useClerk();
  const { user } = useUser();
  const level = user?.twoFactorEnabled ? 'second_factor' : 'first_factor';
  const prove = useReverification(
    async () => {
      const token = await tokens.get({ force: true });
      return isJustProven(token, level) ? { isProven: true as const } : reverificationHint(level);
    },
    { onNeedsReverification: ({ complete, cancel }) => asking.set({ level, complete, cancel }) },
  );
  useEffect(() => {
    service.prove = async () => 'isProven' in ((await prove()) ?? {});
  }, [prove]);
  const { loaded } = clerk;
  useEffect(() => {
    if (!loaded) return;
    service.onLoaded(clerk);
    // One that answers again after it was away.
    clerk.on('status', (status) => status === 'ready' && service.onReady());
    return clerk.addListener(({ session }) => service.onSession(session?.id ?? null));
  }, [loaded, clerk]);
  return null;
}
