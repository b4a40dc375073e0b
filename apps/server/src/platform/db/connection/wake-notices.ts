import type pg from 'pg';

/** SQLSTATE of the notices of `app.wake`: a channel, and what to say on it. */
const NOTICE = 'CDW01';

const heard = new WeakMap<pg.ClientBase, Set<string>>();

/** Collects what the transactions of a connection ask to wake. */
export function collectWakes(client: pg.ClientBase): void {
  const wakes = new Set<string>();
  heard.set(client, wakes);
  client.on('notice', ({ code, message }) => {
    if (code === NOTICE && message) wakes.add(message);
  });
}

/** What the last transaction asked to wake. */
export function takeWakes(client: pg.ClientBase): string[] {
  const wakes = heard.get(client);
  const taken = [...(wakes ?? [])];
  wakes?.clear();
  return taken;
}
