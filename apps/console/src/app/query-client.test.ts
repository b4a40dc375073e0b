import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from './query-client.ts';

afterEach(() => queryClient.clear());

/** A list that answers when the test lets it, unless its screen closes first. */
function createList() {
  let names: string[] = [];
  const reads: (() => void)[] = [];
  const observer = () =>
    new QueryObserver(queryClient, {
      queryKey: ['names'],
      queryFn: ({ signal }) =>
        new Promise<string[]>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          reads.push(() => resolve([...names]));
        }),
    });
  return {
    reads,
    add: (name: string) => {
      names = [...names, name];
    },
    /** Opens a screen with the list. @returns how to close it */
    open: () => observer().subscribe(() => {}),
    answer: async () => {
      const before = queryClient.getQueryState(['names'])?.dataUpdateCount ?? 0;
      reads.at(-1)?.();
      await vi.waitFor(() =>
        expect(queryClient.getQueryState(['names'])?.dataUpdateCount).toBeGreaterThan(before),
      );
    },
    shown: () => queryClient.getQueryData(['names']),
  };
}

test('a list that changed while its screen closed is read when another screen shows it', async () => {
  const list = createList();
  const close = list.open();
  await list.answer();
  list.add('First Desk');
  void queryClient.invalidateQueries({ queryKey: ['names'] });
  close();
  expect(list.shown()).toEqual([]);

  list.open();
  await list.answer();
  expect(list.shown()).toEqual(['First Desk']);
});

test('an unchanged list is not read again by the next screen', async () => {
  const list = createList();
  const close = list.open();
  await list.answer();
  close();
  list.open();
  expect(list.reads).toHaveLength(1);
});
