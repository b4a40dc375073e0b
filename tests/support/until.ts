import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds that the database or a process brings about. */
export async function until(isTrue: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms`);
    await sleep(50);
  }
}
