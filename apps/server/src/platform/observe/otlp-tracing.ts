import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { VERSION } from '../process/version.ts';
import type { Logger } from './log.ts';
import { withLogFields } from './log-context.ts';
import { type Spans, traceOutgoing } from './trace-outgoing.ts';
import type { Tracing, TracingSettings } from './tracing.ts';

const EXPORT_TIMEOUT_MS = 5_000;
const LAST_MS = 1_000;
/** A receiver that is away is reported this often. */
const REPORT_EVERY_MS = 10 * 60_000;
const REPORT_CHARS = 300;
const KINDS = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

/**
 * Traces over OTLP and HTTP. Spans name routes, jobs and hosts, and never carry a value: no path, no query, no statement
 * and no text of an error. Trace ids of callers are not taken over, because the API is public.
 */
export function createTracing(
  { endpoint, headers, ratio }: TracingSettings,
  { name, log }: { name: string; log: Logger },
): Tracing {
  reportProblems(log);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `copydesk-${name}`, 'service.version': VERSION }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('copydesk');
  const current = new AsyncLocalStorage<Span>();
  const requests = new WeakMap<FastifyRequest, Span>();

  const spans: Spans = {
    startClient(title, attributes) {
      const parent = current.getStore();
      if (!parent?.isRecording()) return null;
      return tracer.startSpan(
        title,
        { kind: SpanKind.CLIENT, attributes },
        trace.setSpan(ROOT_CONTEXT, parent),
      );
    },
    fail(span, type) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', type);
    },
    end(span, error) {
      if (error !== undefined) spans.fail(span, typeOf(error));
      // Outside the span: the timer that sends it must not count as work of this span.
      current.exit(() => span.end());
    },
  };
  const stopOutgoing = traceOutgoing(spans);

  return {
    async inSpan(title, { kind, attributes = {} }, work) {
      const span =
        kind === 'client'
          ? spans.startClient(title, attributes)
          : tracer.startSpan(title, { kind: KINDS[kind], attributes }, ROOT_CONTEXT);
      if (!span) return work();
      try {
        const result = await current.run(span, work);
        spans.end(span);
        return result;
      } catch (error) {
        spans.end(span, error);
        throw error;
      }
    },
    traceRequests(app: FastifyInstance) {
      app.addHook('onRequest', (request, _reply, done) => {
        const route = request.routeOptions.url ?? 'unknown';
        const span = tracer.startSpan(
          `${request.method} ${route}`,
          {
            kind: SpanKind.SERVER,
            attributes: {
              'http.request.method': request.method,
              'http.route': route,
              'request.id': request.id,
            },
          },
          ROOT_CONTEXT,
        );
        requests.set(request, span);
        current.run(span, done);
      });
      app.addHook('onResponse', (request, reply, done) => {
        const span = requests.get(request);
        if (!span) return done();
        span.setAttribute('http.response.status_code', reply.statusCode);
        if (reply.statusCode >= 500) spans.fail(span, String(reply.statusCode));
        spans.end(span);
        done();
      });
    },
    currentFields() {
      const context = current.getStore()?.spanContext();
      return context ? { traceId: context.traceId, spanId: context.spanId } : {};
    },
    async stop() {
      stopOutgoing();
      const sent = provider.shutdown().catch((error) => {
        log.warn({ err: error }, 'the last traces were not sent');
      });
      // A receiver that is away must not keep a process from ending.
      await Promise.race([sent, sleep(LAST_MS, null, { ref: false })]);
    },
  };
}

/** The library drops spans that it cannot send, and reports that only here. */
function reportProblems(log: Logger): void {
  let saidAt = Number.NEGATIVE_INFINITY;
  const say = (...problem: unknown[]) => {
    if (performance.now() - saidAt < REPORT_EVERY_MS) return;
    saidAt = performance.now();
    // The timer that sends was started by a request or a job that is unrelated to the problem.
    withLogFields(NO_FIELDS, () => log.warn({ problem: describe(problem) }, 'traces are not sent'));
  };
  const ignore = () => {};
  diag.setLogger(
    { error: say, warn: say, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

const NO_FIELDS = () => ({});

/** The library reports an error as JSON, its stack first, and details of other problems as further arguments. */
function describe(problem: readonly unknown[]): string {
  const texts = problem.map((part) => {
    if (part instanceof Error) return part.message;
    return typeof part === 'string' ? messageIn(part) : JSON.stringify(part);
  });
  return texts.join(' ').slice(0, REPORT_CHARS);
}

function messageIn(text: string): string {
  try {
    const { message, name, code } = JSON.parse(text);
    return [message, code ?? name].filter(Boolean).join(', ') || text;
  } catch {
    return text;
  }
}

/** A code or a class: the text of an error may quote a value. */
function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
