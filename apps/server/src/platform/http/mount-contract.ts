import { Readable } from 'node:stream';
import {
  type Call,
  type CallKey,
  COMMON_ERRORS,
  contract,
  type Entry,
  ERRORS,
  errorEnvelope,
  IDEMPOTENCY_ERRORS,
} from '@copydesk/contract';
import {
  type Capability,
  type Flags,
  isNarrowed,
  needsSecondFactor,
  RECENT_AUTHENTICATION_MINUTES,
  type Scope,
  scopeOf,
} from '@copydesk/domain/access';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { WHOLE_SCOPE } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import { answerWithPosition, sendPosition } from './answered-position.ts';
import { actorOf, type Gate } from './gate.ts';
import { type Handlers, STREAMED } from './handlers.ts';
import {
  type Idempotency,
  idempotencyHeaders,
  type StoredAnswer,
  statusOf,
} from './idempotency/idempotency.ts';
import { isJsonText } from './json-text.ts';

const nothing = z.strictObject({});
const STREAMED_FROM_CHARS = 500_000;
type AnyHandler = (input: object) => Promise<unknown>;

interface Mounting {
  gate: Gate;
  idempotency: Idempotency;
  /** Calls that this installation leaves out. */
  without?: readonly Call[];
  /** Runs after each call that may have changed something, before its answer. */
  onWritten?: () => void;
  /**
   * The position from which `GET /api/events` reports what changes after a read that begins now; null: not
   * known.
   */
  position?: () => string | null;
  /** Whether lists may come from replicas: answers say how far in the leader's log they have seen. */
  hasReplicas?: boolean;
}

/**
 * The position (`Last-Event-ID`) from which `GET /api/events` misses no change since this answer was read.
 */
const POSITION_HEADER = 'x-events-position';

/** Registers a route for every entry of the contract that this installation has. */
export function mountContract(app: FastifyInstance, handlers: Handlers, mounting: Mounting): void {
  const { without = [] } = mounting;
  const calls = Object.entries(contract).filter(([call]) => !without.includes(call as Call));
  mountCalls(app, Object.fromEntries(calls), handlers as Record<Call, AnyHandler>, mounting);
}

/**
 * Registers routes for the given entries, which need not be the contract's.
 * @throws Error when a public call asks for a proof or for an idempotency key
 */
export function mountCalls(
  app: FastifyInstance,
  calls: Record<CallKey, Entry>,
  handlers: Record<CallKey, AnyHandler>,
  { gate, idempotency, onWritten = () => {}, position = () => null, hasReplicas = false }: Mounting,
): void {
  for (const [key, entry] of Object.entries(calls) as [CallKey, Entry][]) {
    if (entry.permission === 'public' && entry.recentAuth !== false)
      throw new Error(`${key}: a public call has no caller to authenticate again`);
    if (entry.idempotent && entry.permission === 'public')
      throw new Error(`${key}: a key belongs to its caller, and a public call has none`);
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
        ...(entry.recentAuth === false ? {} : { 'x-recent-authentication': entry.recentAuth }),
        ...(entry.params ? { params: entry.params } : {}),
        querystring: entry.query ?? nothing,
        ...(entry.idempotent ? { headers: idempotencyHeaders } : {}),
        ...(method === 'GET' ? {} : { body: entry.body ?? nothing.nullish() }),
        response: responsesOf(entry),
      },
      onRequest: [ignoreTypeOfNoBody, gate.admit(entry)],
      ...(entry.body && method !== 'GET' ? { preValidation: readNoBodyAsEmpty } : {}),
      preHandler: [
        gate.admitBody(entry),
        // The position is taken before anything is read.
        async ({ principal }, reply) => {
          const from = principal && method === 'GET' ? position() : null;
          if (from !== null) reply.header(POSITION_HEADER, from);
        },
      ],
      ...(hasReplicas ? { onSend: sendPosition } : {}),
      handler: (request, reply) => {
        const answer = () =>
          run(
            handler,
            { key, entry, idempotency, onDone: method === 'GET' ? () => {} : onWritten },
            request,
            reply,
          );
        return hasReplicas ? answerWithPosition(request, answer) : answer();
      },
    });
  }
}

/** Whether a request carries no body (RFC 9112, section 6.3). */
function hasNoBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && !Number(headers['content-length']);
}

/** Some clients send a media type even without a body, and Fastify would refuse the empty text. */
async function ignoreTypeOfNoBody(request: FastifyRequest): Promise<void> {
  if (hasNoBody(request)) delete request.headers['content-type'];
}

/**
 * A missing body counts as an empty one: calls whose fields are all optional work without one, others report the
 * required fields.
 */
async function readNoBodyAsEmpty(request: FastifyRequest): Promise<void> {
  if (hasNoBody(request)) request.body = {};
}

interface Mounted {
  key: CallKey;
  entry: Entry;
  idempotency: Idempotency;
  onDone: () => void;
}

async function run(
  handler: AnyHandler,
  { key, entry, idempotency, onDone }: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { params, query, body, principal } = request;
  const who = principal && {
    scope: scopeOf(principal.flags, entry.capability),
    actor: actorOf(principal, request.id),
  };
  const answer = await explainRole(
    handler({
      params,
      query,
      body,
      principal,
      ...who,
      ...(who && entry.idempotent
        ? { once: idempotency({ route: key, entry, request, ...who, scope: scopeOfActs(entry, who.scope) }) }
        : {}),
      requestId: request.id,
      http: request,
      reply,
    }),
    principal !== null && isNarrowed(principal.flags, entry.capability),
    () => principal !== null && namesForbiddenProvider(body, principal.flags, entry.capability),
  );
  onDone();
  if (answer === STREAMED) return reply;
  if (entry.idempotent) return sendStored(reply, answer as StoredAnswer<unknown>);
  reply.code(statusOf(entry, answer));
  if (isJsonText(answer)) return reply.type('application/json; charset=utf-8').send(bodyOf(answer.json));
  return reply.send(answer);
}

/**
 * A caller may see a row that its roles do not let it change. "Not found" would contradict its own screen, so
 * the answer names the role; it is the same for rows that do not exist, so it reveals nothing. A refusal with
 * its own text stays, unless the request names a provider where the role does not allow the call.
 */
async function explainRole(
  answer: Promise<unknown>,
  isNarrower: boolean,
  namesForbidden: () => boolean,
): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (
      isNarrower &&
      error instanceof Refusal &&
      error.code === 'not_found' &&
      (error.message === ERRORS.not_found.message || namesForbidden())
    )
      throw new Refusal('role_required', { isGuess: true });
    throw error;
  }
}

/** Whether a body names a provider that the caller sees, and at which its role lacks the capability. */
function namesForbiddenProvider(body: unknown, flags: Flags, capability?: Capability): boolean {
  const scope = scopeOf(flags, capability);
  if (scope.kind === 'all' || typeof body !== 'object' || body === null) return false;
  const forbidden = flags.providerAccess.filter((id) => !scope.providerIds.includes(id));
  return Object.values(body).some((value) => forbidden.includes(value));
}

function sendStored(reply: FastifyReply, { status, body, isReplay }: StoredAnswer<unknown>) {
  if (isReplay) reply.header('idempotent-replayed', 'true');
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

/**
 * Sends long answers part by part, as text that the socket encodes when it takes the part. Joined, or as buffers made
 * beforehand, the megabytes of each answer would pile up until the next garbage collection.
 */
function bodyOf(parts: readonly string[]): string | Readable {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length < STREAMED_FROM_CHARS ? parts.join('') : Readable.from(parts);
}

function describeAccess(entry: Entry): string {
  const sentences = [`Permission: ${entry.permission}.`];
  if (entry.capability) sentences.push(`Capability of staff: ${entry.capability}.`);
  if (entry.serviceScope) sentences.push(`Service scope: ${entry.serviceScope}.`);
  if (entry.recentAuth !== false)
    sentences.push(
      `${recentAuthCase(entry)} the caller must be a person who has signed in or reauthenticated within the last ${RECENT_AUTHENTICATION_MINUTES} minutes, else the answer is 403 reauthentication_required.`,
    );
  if (needsSecondFactor(entry))
    sentences.push('Without a second factor the answer is 403 second_factor_required.');
  return sentences.join(' ');
}

function recentAuthCase({ recentAuth: declared, serviceScope }: Entry): string {
  if (typeof declared === 'boolean') return serviceScope ? 'Unless it is a service,' : 'Always';
  const fields = `the body has ${declared.whenBodyHas.join(' or ')}`;
  return declared.exceptServices ? `When ${fields}, unless it is a service,` : `When ${fields},`;
}

function responsesOf(entry: Entry): Record<number, unknown> {
  const responses: Record<number, unknown> = {};
  const own = entry.permission === 'public' ? [] : (['invalid_token', 'not_admin'] as const);
  const byRole = entry.capability ? (['role_required'] as const) : [];
  const recent = [
    ...(entry.recentAuth === false ? [] : (['reauthentication_required'] as const)),
    ...(needsSecondFactor(entry) ? (['second_factor_required'] as const) : []),
  ];
  const repeated = entry.idempotent ? IDEMPOTENCY_ERRORS : [];
  for (const code of [...COMMON_ERRORS, ...own, ...byRole, ...recent, ...repeated, ...entry.errors])
    responses[ERRORS[code].status] = errorEnvelope;
  responses[entry.status ?? 200] =
    'stream' in entry.answer
      ? { description: 'A stream', content: { [entry.answer.stream]: { schema: z.string() } } }
      : entry.answer;
  if (entry.mayWait) responses[202] = entry.answer;
  return responses;
}

/**
 * Calls for super admins write rows that no narrower scope may. A service that makes one for its own rows has
 * a narrower scope: the handler first looks up the named rows in that scope.
 */
const scopeOfActs = ({ permission }: Entry, scope: Scope): Scope =>
  permission === 'super' ? WHOLE_SCOPE : scope;
