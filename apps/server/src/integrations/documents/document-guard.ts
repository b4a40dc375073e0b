import { workerData } from 'node:worker_threads';

// A thread of the process that writes documents. A compile is one native call, so that process hears neither of its
// parent's end nor of a limit while it is under way; this thread does.
const { memoryMb, parent } = workerData as { memoryMb: number; parent: number };
const LOOK_EVERY_MS = 50;

setInterval(() => {
  const isOrphan = process.ppid !== parent;
  const isTooLarge = process.memoryUsage.rss() > memoryMb * 2 ** 20;
  if (isOrphan || isTooLarge) process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS);
