import { useEffect, useState } from 'react';

/** Whether something has taken longer than it should. A new attempt restarts the clock. */
export function useSlow(isRunning: boolean, afterMs: number, attempt = 0): boolean {
  const [isSlow, setSlow] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a reason to start again
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setSlow(true), afterMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isRunning, afterMs, attempt]);
  return isSlow;
}
