import type { TracingSettings } from '../platform/observe/tracing.ts';
import type { Environment } from './environment.ts';

/** Null: no traces are recorded. */
export function tracingOf(e: Environment): TracingSettings | null {
  if (e.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const headers = e.OTEL_EXPORTER_OTLP_HEADERS.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, decodeURIComponent(value.join('='))];
  });
  return {
    endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: Object.fromEntries(headers),
    ratio: e.OTEL_TRACES_SAMPLER_ARG,
  };
}
