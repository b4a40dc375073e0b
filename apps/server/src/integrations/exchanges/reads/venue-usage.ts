import type { VenueUsage } from '../venue-runtime.ts';

const sum = (one: Record<string, number>, other: Record<string, number>): Record<string, number> => {
  const all = { ...one };
  for (const [name, count] of Object.entries(other)) all[name] = (all[name] ?? 0) + count;
  return all;
};

/** The use of a venue's main platform together with that of its regions. The breaker is that of the first one. */
export function addUsage(known: VenueUsage | undefined, more: VenueUsage): VenueUsage {
  if (!known) return more;
  return {
    requests: known.requests + more.requests,
    weight: known.weight + more.weight,
    failures: known.failures + more.failures,
    waiting: known.waiting + more.waiting,
    instances: known.instances + more.instances,
    breaker: known.breaker,
    notices: {
      lists: sum(known.notices.lists, more.notices.lists),
      codes: sum(known.notices.codes, more.notices.codes),
    },
  };
}
