import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  answeredPosition,
  LOG_POSITION_HEADER,
  openPositions,
  type Positions,
  withPositions,
} from '../db/position.ts';

const opened = new WeakMap<FastifyRequest, Positions>();

/** Runs a handler whose reads see at least what the client has seen. */
export function answerWithPosition<T>(request: FastifyRequest, answer: () => T): T {
  const positions = openPositions(request.headers[LOG_POSITION_HEADER]);
  opened.set(request, positions);
  return withPositions(positions, answer);
}

/** Says with any answer, also of a refusal, how far the request has seen. */
export async function sendPosition(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const positions = opened.get(request);
  const answered = positions ? answeredPosition(positions) : null;
  if (answered !== null) reply.header(LOG_POSITION_HEADER, answered);
}
