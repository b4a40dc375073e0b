import { Readable } from 'node:stream';
import { type Call, COMMON_ERRORS, contract, type Entry, ERRORS, errorEnvelope } from '@copydesk/contract';
import { scopeOf } from '@copydesk/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actorOf } from './gate.ts';
import { type Handlers, type JsonText, STREAMED } from './handlers.ts';

const nothing = z.strictObject({});
const STREAMED_FROM_CHARS = 500_000;
type Gate = (entry: Entry) => (request: FastifyRequest) => Promise<void>;
type AnyHandler = (input: object) => Promise<unknown>;

/** Makes a route of every entry of the contract. */
export function mountContract(app: FastifyInstance, handlers: Handlers, gate: Gate): void {
  for (const [key, entry] of Object.entries(contract) as [Call, Entry][]) {
    const [method, path] = key.split(' ') as [string, string];
    const handler = handlers[key] as AnyHandler;
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      schema: {
        summary: entry.summary,
        description: describeAccess(entry),
        tags: [path.split('/')[2] ?? 'api'],
        ...(entry.permission === 'public' ? {} : { security: [{ bearer: [] }] }),
        ...(entry.params ? { params: entry.params } : {}),
        querystring: entry.query ?? nothing,
        ...(method === 'GET' ? {} : { body: entry.body ?? nothing.nullish() }),
        response: responsesOf(entry),
      },
      onRequest: gate(entry),
      handler: (request, reply) => run(handler, entry, request, reply),
    });
  }
}

async function run(handler: AnyHandler, entry: Entry, request: FastifyRequest, reply: FastifyReply) {
  const { params, query, body, principal } = request;
  const answer = await handler({
    params,
    query,
    body,
    principal,
    ...(principal ? { scope: scopeOf(principal.flags), actor: actorOf(principal, request.id) } : {}),
    requestId: request.id,
    http: request,
    reply,
  });
  if (answer === STREAMED) return reply;
  reply.code(entry.status ?? 200);
  if (isJsonText(answer)) return reply.type('application/json; charset=utf-8').send(bodyOf(answer.json));
  return reply.send(answer);
}

function isJsonText(answer: unknown): answer is JsonText<unknown> {
  return Array.isArray((answer as JsonText<unknown>).json);
}

/** Long answers leave part by part: joined, each would take its megabytes three times over. */
function bodyOf(parts: readonly string[]): string | Readable {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length < STREAMED_FROM_CHARS
    ? parts.join('')
    : Readable.from(parts.map((part) => Buffer.from(part)));
}

function describeAccess(entry: Entry): string {
  return entry.serviceScope
    ? `Permission: ${entry.permission}. Service scope: ${entry.serviceScope}.`
    : `Permission: ${entry.permission}.`;
}

function responsesOf(entry: Entry): Record<number, unknown> {
  const responses: Record<number, unknown> = {};
  const own = entry.permission === 'public' ? [] : (['invalid_token', 'not_admin'] as const);
  for (const code of [...COMMON_ERRORS, ...own, ...entry.errors])
    responses[ERRORS[code].status] = errorEnvelope;
  responses[entry.status ?? 200] =
    'stream' in entry.answer
      ? { description: 'A stream', content: { [entry.answer.stream]: { schema: z.string() } } }
      : entry.answer;
  return responses;
}
