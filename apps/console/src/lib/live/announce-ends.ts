import type { QueryClient } from '@tanstack/react-query';
import { throttle } from '../throttle.ts';

/** Work under way changes every second. */
const LOOK_EVERY_MS = 2_000;

interface Announced<Row> {
  read(client: QueryClient): Promise<readonly Row[]>;
  /** The end that is announced, once, for a row that has changed; null: it has not ended. */
  endOf(row: Row): string | null;
  say(row: Row): void;
}

/**
 * Announces the ends of work that workers do for a person.
 * @returns a function to call after an event about such work: it reads the list again, and announces each end once
 */
export function createAnnouncer<Row extends { id: string }>({ read, endOf, say }: Announced<Row>) {
  const changed = new Set<string>();
  /** An event may come twice. */
  const announced = new Set<string>();
  const looks = new WeakMap<QueryClient, () => void>();

  async function announce(client: QueryClient): Promise<void> {
    const noted = [...changed];
    const rows = await read(client);
    // Those of a list that could not be read are looked for with the next event.
    for (const id of noted) changed.delete(id);
    for (const row of rows) {
      const end = noted.includes(row.id) ? endOf(row) : null;
      if (end === null || announced.has(end)) continue;
      announced.add(end);
      say(row);
    }
  }

  return (client: QueryClient, id: string): void => {
    changed.add(id);
    const look = looks.get(client) ?? throttle(() => void announce(client).catch(() => {}), LOOK_EVERY_MS);
    looks.set(client, look);
    look();
  };
}
