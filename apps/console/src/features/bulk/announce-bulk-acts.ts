import type { QueryClient } from '@tanstack/react-query';
import { throttle } from '../../lib/throttle.ts';
import { endOffers, toast } from '../../ui/feedback/toast-store.ts';
import { type BulkActRow, bulkActsQuery, bulkRowsKey } from './bulk-queries.ts';
import { resultOf, wordsOf } from './bulk-texts.ts';

/** A running act changes every second. */
const LOOK_EVERY_MS = 2_000;
const changed = new Set<string>();
/** An event may come twice. */
const announced = new Set<string>();
const looks = new WeakMap<QueryClient, () => void>();

/** After an event about a bulk act: reads the list again, and says once what has ended. */
export function noteBulkAct(client: QueryClient, id: string): void {
  changed.add(id);
  const look = looks.get(client) ?? throttle(() => void announce(client).catch(() => {}), LOOK_EVERY_MS);
  looks.set(client, look);
  look();
}

/** What is said of an act that has ended; an act that was retried ends again. */
const endOf = ({ id, finished_at }: BulkActRow) => `${id} ${finished_at}`;

async function announce(client: QueryClient): Promise<void> {
  const noted = [...changed];
  const rows = await client.fetchQuery({ ...bulkActsQuery, staleTime: 0 });
  void client.invalidateQueries({ queryKey: bulkRowsKey });
  // Those of a list that could not be read are looked for with the next event.
  for (const id of noted) changed.delete(id);
  for (const row of rows) {
    if (!noted.includes(row.id)) continue;
    // There is nothing left to undo once it has begun.
    if (row.state !== 'waiting') endOffers(row.id);
    if (row.state !== 'done' || announced.has(endOf(row))) continue;
    announced.add(endOf(row));
    toast({
      tone: row.failed > 0 ? 'negative' : 'positive',
      title: wordsOf(row.act, row.status).title,
      text: resultOf(row),
    });
  }
}
