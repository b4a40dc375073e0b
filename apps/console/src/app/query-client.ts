import { QueryClient } from '@tanstack/react-query';

const STALE_AFTER_MS = 5 * 60_000;

/** Global defaults of the console spec, section 9. What is fresher says so itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      refetchOnMount: false,
      refetchOnReconnect: false,
      retry: false,
      staleTime: STALE_AFTER_MS,
      // A console on the operator's own network works without the internet; the answer decides, not the browser.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
