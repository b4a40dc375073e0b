import type { CycleRow } from '../cycles.store.ts';
import type { HarvestWorker } from '../harvest-worker.ts';

/** The worker's part of a step: work outside transactions, then an event or a wait. */
export type AttendStep = (worker: HarvestWorker, cycle: CycleRow) => Promise<void>;
