import type { ListEvent } from './history.ts';

// Histories of transactions that append to lists and read them show the order in which a database took them: a list
// names all that was before it (K. Kingsbury, P. Alvaro: Elle, VLDB 2020). Orders that contradict each other, or the
// clock, are cycles.

export interface ListProblems {
  transactions: number;
  /** Acknowledged values that are not there, or there twice. */
  lostWrites: number;
  doubledWrites: number;
  /** Values of transactions that were refused. */
  refusedWrites: number;
  /** Reads that no moment of the list's history gives. */
  wrongReads: number;
  /** Groups of transactions of which each is before and after another. */
  cycles: number;
}

/** @param final each list as it is at the end */
export function findListProblems(
  events: readonly ListEvent[],
  final: ReadonlyMap<number, readonly number[]>,
): ListProblems {
  const counts = new Map<number, number>();
  for (const items of final.values()) for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const appended = (event: ListEvent) =>
    event.micros.flatMap((each) => ('append' in each ? [each.append] : []));
  const of = (outcome: ListEvent['outcome']) => events.filter((event) => event.outcome === outcome);
  const isThere = (event: ListEvent) => appended(event).some((value) => counts.has(value));
  // One that was not answered counts as soon as somebody sees what it wrote.
  const took = [...of('done'), ...of('unknown').filter(isThere)];
  return {
    transactions: took.length,
    lostWrites: of('done')
      .flatMap(appended)
      .filter((value) => !counts.has(value)).length,
    doubledWrites: [...counts.values()].filter((count) => count > 1).length,
    refusedWrites: of('failed')
      .flatMap(appended)
      .filter((value) => counts.has(value)).length,
    wrongReads: of('done').reduce((sum, event) => sum + countWrongReads(event, final), 0),
    cycles: countCycles(edgesOf(took, final)),
  };
}

function countWrongReads({ micros }: ListEvent, final: ReadonlyMap<number, readonly number[]>): number {
  let wrong = 0;
  for (const micro of micros) {
    if (!('read' in micro)) continue;
    const items = final.get(micro.list) ?? [];
    if (micro.read.some((value, at) => items[at] !== value)) wrong += 1;
  }
  return wrong;
}

type Edges = Map<number, number[]>;

/** Who is before whom: by what they wrote and read, and by the clock. Transactions are numbers from 0, moments below. */
function edgesOf(took: readonly ListEvent[], final: ReadonlyMap<number, readonly number[]>): Edges {
  const edges: Edges = new Map();
  const isBefore = (one: number | undefined, other: number | undefined) => {
    if (one === undefined || other === undefined || one === other) return;
    const known = edges.get(one);
    if (known) known.push(other);
    else edges.set(one, [other]);
  };
  const writers = new Map<number, number>();
  took.forEach((event, node) => {
    for (const micro of event.micros) if ('append' in micro) writers.set(micro.append, node);
  });
  for (const items of final.values())
    for (let at = 1; at < items.length; at += 1)
      isBefore(writers.get(items[at - 1] as number), writers.get(items[at] as number));
  took.forEach((event, node) => {
    for (const micro of event.micros) {
      if (!('read' in micro)) continue;
      const items = final.get(micro.list) ?? [];
      const others = micro.read.filter((value) => writers.get(value) !== node);
      isBefore(writers.get(others.at(-1) ?? Number.NaN), node);
      isBefore(node, writers.get(items[micro.read.length] ?? Number.NaN));
    }
  });
  // What had ended is before what began later: through moments, one after each end, in their order.
  const ends = took.flatMap((event, node) => (event.outcome === 'done' ? [{ at: event.ended, node }] : []));
  ends.sort((one, other) => one.at - other.at);
  ends.forEach(({ node }, nth) => {
    isBefore(node, -1 - nth);
    if (nth > 0) isBefore(-nth, -1 - nth);
  });
  took.forEach((event, node) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.at ?? 0) < event.began) low = middle + 1;
      else high = middle;
    }
    if (low > 0) isBefore(-low, node);
  });
  return edges;
}

/** Strongly connected components of more than one node, by Tarjan's algorithm without recursion. */
function countCycles(edges: Edges): number {
  const order = new Map<number, number>();
  const lowest = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  let cycles = 0;
  for (const root of edges.keys()) {
    if (order.has(root)) continue;
    const path: { node: number; next: number }[] = [{ node: root, next: 0 }];
    while (path.length > 0) {
      const step = path.at(-1) as { node: number; next: number };
      const { node } = step;
      if (step.next === 0 && !order.has(node)) {
        order.set(node, order.size);
        lowest.set(node, order.get(node) as number);
        open.push(node);
        isOpen.add(node);
      }
      const after = edges.get(node)?.[step.next];
      step.next += 1;
      if (after === undefined) {
        path.pop();
        const parent = path.at(-1)?.node;
        if (parent !== undefined)
          lowest.set(parent, Math.min(lowest.get(parent) as number, lowest.get(node) as number));
        if (lowest.get(node) !== order.get(node)) continue;
        let size = 0;
        for (let other = open.pop(); other !== undefined; other = open.pop()) {
          isOpen.delete(other);
          size += 1;
          if (other === node) break;
        }
        if (size > 1) cycles += 1;
      } else if (!order.has(after)) path.push({ node: after, next: 0 });
      else if (isOpen.has(after))
        lowest.set(node, Math.min(lowest.get(node) as number, order.get(after) as number));
    }
  }
  return cycles;
}
