import { type SearchSchemaInput, useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** The parameters of a URL that its screen has not read yet. */
type Unread<S> = { [K in keyof S]?: unknown };

/**
 * For a route: links may name the parameters of its screen only. The reader of their values is loaded with the screen,
 * since the readers of all screens would be loaded before the first one.
 */
export const readByScreen = <S extends object>(raw: S & SearchSchemaInput): Unread<S> => raw;

/**
 * The parameters of a screen's URL, and what changes some of them.
 * @param read the same function at every call
 * @param inPlace choices within the screen add no step: back returns to the screen before
 */
export function useScreenSearch<S extends object>(
  read: (raw: Record<string, unknown>) => S,
  { inPlace = false } = {},
) {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const shown = useMatch({ strict: false, select: ({ id }) => id });
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the screen was opened that is shown
  const pathname = useMemo(() => router.latestLocation.pathname, [router, shown]);
  const change = useCallback(
    (changed: S, { replace = inPlace } = {}) => {
      // On the way to another screen: the last typed filter is not one of that screen.
      if (router.latestLocation.pathname !== pathname) return;
      void navigate({
        to: '.',
        // The compiler cannot know on which screen this is.
        search: (before: object) => ({ ...before, ...changed }) as never,
        ...(inPlace && { state: (before) => before }),
        replace,
        resetScroll: false,
      });
    },
    [navigate, router, pathname, inPlace],
  );
  const search: { [K in keyof S]: S[K] } = useMemo(() => read(raw), [read, raw]);
  return [search, change] as const;
}
