import { useEffect, useState } from 'react';

/** The value after it has stayed the same for a while. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [settled, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
