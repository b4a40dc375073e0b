import type { Logger } from './log.ts';
import { type TracingSettings, useTracing } from './tracing.ts';

/**
 * Records traces when there is a receiver for them. The library is loaded only then.
 * @returns what sends the last ones
 */
export async function startTracing(
  settings: TracingSettings | null,
  process: { name: string; log: Logger },
): Promise<() => Promise<void>> {
  if (settings === null) return async () => {};
  const { createTracing } = await import('./otlp-tracing.ts');
  const tracing = createTracing(settings, process);
  useTracing(tracing);
  return async () => {
    useTracing(null);
    await tracing.stop();
  };
}
