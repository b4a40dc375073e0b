import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Span } from '@opentelemetry/api';
import type { SpanAttributes } from './tracing.ts';

/** Starts spans below the current one, and ends them. */
export interface Spans {
  /** Null: no recorded work is under way. */
  startClient(name: string, attributes: SpanAttributes): Span | null;
  fail(span: Span, type: string): void;
  end(span: Span, error?: unknown): void;
}

/** The part of undici's channel messages, and so of `fetch`, that is used here. */
interface UndiciRequest {
  origin?: string | URL;
  method: string;
}

type Listener = (message: unknown) => void;

/**
 * Records calls to other services below the work that makes them. It listens to Node's diagnostic channels
 * and patches nothing. Spans contain only host and method, because paths carry tokens of bots and addresses
 * of people.
 * @returns a function that stops recording
 */
export function traceOutgoing({ startClient, fail, end }: Spans): () => void {
  const open = new WeakMap<object, Span>();

  const begin = (request: object, method: string, host: string, port: string) => {
    const span = startClient(`${method} ${host}`, {
      'http.request.method': method,
      'server.address': host,
      ...(port ? { 'server.port': Number(port) } : {}),
    });
    if (span) open.set(request, span);
  };
  const answered = (request: object, status: number | undefined) => {
    const span = open.get(request);
    if (!span || status === undefined) return;
    span.setAttribute('http.response.status_code', status);
    if (status >= 400) fail(span, String(status));
  };
  const finish = (request: object, error?: unknown) => {
    const span = open.get(request);
    if (!span) return;
    open.delete(request);
    end(span, error);
  };

  const listeners: Record<string, Listener> = {
    'undici:request:create': (message) => {
      const { request } = message as { request: UndiciRequest };
      const url = URL.parse(String(request.origin ?? ''));
      begin(request, request.method, url?.hostname ?? 'unknown', url?.port ?? '');
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as { request: object; response: { statusCode: number } };
      answered(request, response.statusCode);
    },
    'undici:request:trailers': (message) => finish((message as { request: object }).request),
    'undici:request:error': (message) => {
      const { request, error } = message as { request: object; error: unknown };
      finish(request, error ?? new Error('unknown'));
    },
    'http.client.request.start': (message) => {
      const { request } = message as { request: ClientRequest };
      const { hostname, port } = URL.parse(`http://${request.host}`) ?? { hostname: 'unknown', port: '' };
      begin(request, request.method, hostname, port);
    },
    'http.client.response.finish': (message) => {
      const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
      answered(request, response.statusCode);
      finish(request);
    },
    'http.client.request.error': (message) => {
      const { request, error } = message as { request: ClientRequest; error: unknown };
      finish(request, error ?? new Error('unknown'));
    },
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener);
  };
}
