import { setTimeout as sleep } from 'node:timers/promises';

const POLL_EVERY_MS = 40;
const REQUEST_TIMEOUT_MS = 2000;

/** Waits until the API answers; false when `signal` ended the wait or `timeoutMs` passed. */
export async function waitForHealth(
  origin: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!signal.aborted && Date.now() < deadline) {
    if (await isHealthy(origin)) return true;
    await sleep(POLL_EVERY_MS);
  }
  return false;
}

async function isHealthy(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
