import { createBoundedMap } from '../bounded-map.ts';
import type { AdmitUser } from './hosted-principals.ts';

/** A refused person asks again with every request of its console. */
const ASK_AGAIN_MS = 5_000;
const MAX_REMEMBERED = 5_000;

/** Admits each user once at a time, and asks about a refused one every few seconds only. */
export function createAdmissions(admit: AdmitUser, now: () => Date): AdmitUser {
  const underWay = new Map<string, Promise<void>>();
  const askedAtMs = createBoundedMap<number>(MAX_REMEMBERED);
  return (hostedId) => {
    const running = underWay.get(hostedId);
    if (running) return running;
    if (now().getTime() - (askedAtMs.get(hostedId) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_MS)
      return Promise.resolve();
    const admission = admit(hostedId)
      .then(() => askedAtMs.set(hostedId, now().getTime()))
      .finally(() => underWay.delete(hostedId));
    underWay.set(hostedId, admission);
    return admission;
  };
}
