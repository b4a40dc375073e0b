import { expect, test } from 'vitest';
import { createUpdateQueue } from './update-queue.ts';

interface Update {
  update_id: number;
  chat: string;
}

/** A queue whose updates are handled when the test says so. */
function createHeld(atOnce = 2) {
  const begun: number[] = [];
  const held = new Map<number, PromiseWithResolvers<void>>();
  const queue = createUpdateQueue<Update>({
    atOnce,
    laneOf: ({ chat }) => chat,
    handle({ update_id }) {
      begun.push(update_id);
      const one = Promise.withResolvers<void>();
      held.set(update_id, one);
      return one.promise;
    },
  });
  const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    queue,
    begun,
    async end(id: number, error?: Error) {
      if (error) held.get(id)?.reject(error);
      else held.get(id)?.resolve();
      await tick();
    },
  };
}

const update = (update_id: number, chat: string): Update => ({ update_id, chat });

test('chats are handled beside each other, each in order, and not too many at once', async () => {
  const { queue, begun, end } = createHeld();
  queue.add([update(1, 'a'), update(2, 'a'), update(3, 'b'), update(4, 'c')]);
  expect(begun).toEqual([1, 3]);
  await end(3);
  expect(begun).toEqual([1, 3, 4]);
  await end(4);
  expect(begun).toEqual([1, 3, 4]);
  await end(1);
  expect(begun).toEqual([1, 3, 4, 2]);
  await end(2);
  await queue.settle(1_000);
});

test('the prefix does not pass an update that is under way, and a repeated one is handled once', async () => {
  const { queue, begun, end } = createHeld();
  const sent = [update(1, 'slow'), update(2, 'b'), update(3, 'c')];
  queue.add(sent);
  await end(2);
  await end(3);
  await queue.settle(1);
  expect(queue.takePrefix()).toBeNull();
  // Telegram sends again what was not confirmed.
  queue.add([...sent, update(4, 'd')]);
  await end(4);
  expect(begun).toEqual([1, 2, 3, 4]);
  expect(queue.takePrefix()).toBeNull();
  await end(1);
  expect(queue.takePrefix()).toBe(4);
  expect(queue.takePrefix()).toBeNull();
});

test('a failed update keeps its place before the later ones of its chat', async () => {
  const { queue, begun, end } = createHeld();
  const sent = [update(1, 'a'), update(2, 'a'), update(3, 'b')];
  queue.add(sent);
  await end(3);
  await end(1, new Error('the database is gone'));
  await expect(queue.settle(1_000)).rejects.toThrow('the database is gone');
  expect(queue.takePrefix()).toBeNull();
  queue.add(sent);
  expect(begun).toEqual([1, 3, 1]);
  await end(1);
  await end(2);
  expect(begun).toEqual([1, 3, 1, 2]);
  expect(queue.takePrefix()).toBe(3);
});

test('a failed update that Telegram has dropped does not hold the others', async () => {
  const { queue, end } = createHeld();
  queue.add([update(1, 'a'), update(2, 'b')]);
  await end(2);
  await end(1, new Error('failed'));
  await queue.settle(1_000).catch(() => {});
  queue.add([update(3, 'b')]);
  await end(3);
  expect(queue.takePrefix()).toBe(3);
});

test('a stopped queue starts nothing more, and ends with what is under way', async () => {
  const { queue, begun, end } = createHeld(1);
  queue.add([update(1, 'a'), update(2, 'b')]);
  const stopped = queue.stop();
  await end(1);
  await stopped;
  expect(begun).toEqual([1]);
});
