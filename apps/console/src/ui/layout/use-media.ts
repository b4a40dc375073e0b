import { useSyncExternalStore } from 'react';

const queries = new Map<string, MediaQueryList>();
const listFor = (query: string) => {
  const list = queries.get(query) ?? matchMedia(query);
  queries.set(query, list);
  return list;
};

/** Follows a media query. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      listFor(query).addEventListener('change', listener);
      return () => listFor(query).removeEventListener('change', listener);
    },
    () => listFor(query).matches,
  );
}
