import { QueryClient } from '@tanstack/react-query';

const STALE_AFTER_MS = 5 * 60_000;

/** Global defaults of the console spec, section 9. Queries with fresher data override them. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      // Not for age alone. But a screen that closes aborts its reads: what a change had invalidated is still to be read.
      refetchOnMount: ({ state }) => state.isInvalidated,
      refetchOnReconnect: false,
      retry: false,
      staleTime: STALE_AFTER_MS,
      // A console on the operator's own network works without the internet: the answer counts, not the browser's online
      // state.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
