import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { useEffect } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { cleanup, render } from 'vitest-browser-react/pure';
import { readByScreen, useScreenSearch } from './use-screen-search.ts';

interface Search {
  q?: string;
  page?: string;
}
const read = ({ q, page }: Record<string, unknown>): Search => ({
  ...(typeof q === 'string' && { q }),
  ...(typeof page === 'string' && { page }),
});

test('a change leads on its own screen, and is dropped on the way to another one', async () => {
  let change: (changed: Search) => void = () => {};
  let arrive = () => {};
  const root = createRootRoute({ component: Outlet });
  const first = createRoute({
    getParentRoute: () => root,
    path: '/first',
    validateSearch: readByScreen<Search>,
    component: function First() {
      [, change] = useScreenSearch(read);
      return null;
    },
  });
  const second = createRoute({
    getParentRoute: () => root,
    path: '/second',
    validateSearch: readByScreen<Search>,
    loader: () =>
      new Promise<void>((resolve) => {
        arrive = resolve;
      }),
    component: function Second() {
      const [, changeHere] = useScreenSearch(read);
      // As one that leads from a page that is gone to the last one.
      useEffect(() => changeHere({ page: 'last' }), [changeHere]);
      return null;
    },
  });
  const router = createRouter({
    routeTree: root.addChildren([first, second]),
    history: createMemoryHistory({ initialEntries: ['/first'] }),
  });
  const href = () => router.latestLocation.href;
  onTestFinished(cleanup);
  await render(<RouterProvider router={router as never} />);
  await expect.poll(() => change.length).toBeGreaterThan(0);
  change({ q: 'ada' });
  await expect.poll(href).toBe('/first?q=ada');

  void router.navigate({ to: '/second' as never });
  await expect.poll(href).toBe('/second');
  change({ q: 'late' });
  arrive();
  await expect.poll(href).toBe('/second?page=last');
});
