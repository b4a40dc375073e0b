import type { FastifyInstance } from 'fastify';

/** What a span says of its work. Never a value of a request, a statement or a secret. */
export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** consumer: work of its own, with no caller. client: a call to another service, recorded only below other work. */
  kind: 'consumer' | 'client';
  attributes?: SpanAttributes;
}

export interface TracingSettings {
  /** Address of an OTLP receiver over HTTP, without its path. */
  endpoint: string;
  /** Headers of each export, as an access key of the receiver. */
  headers: Record<string, string>;
  /** Part of the traces that is recorded, 0 to 1. */
  ratio: number;
}

/** The ids of the span under way, as fields of a line of the log. */
export interface TraceFields {
  traceId?: string;
  spanId?: string;
}

export interface Tracing {
  inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  traceRequests(app: FastifyInstance): void;
  currentFields(): TraceFields;
  /** Sends what was recorded. */
  stop(): Promise<void>;
}

/** Null: no traces are recorded, and nothing of the library is loaded. */
let tracing: Tracing | null = null;

/** Switches traces on for this process, or off with null. */
export function useTracing(next: Tracing | null): void {
  tracing = next;
}

/** Runs work in a span of its own when traces are recorded. */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return tracing === null ? work() : tracing.inSpan(name, options, work);
}

/** Records each request of a server when traces are recorded. Before any other hook. */
export function traceRequests(app: FastifyInstance): void {
  tracing?.traceRequests(app);
}

/** The ids of the span under way; none without traces. */
export function currentTraceFields(): TraceFields {
  return tracing === null ? NONE : tracing.currentFields();
}

const NONE = {};
