import type { ServerResponse } from 'node:http';
import type { ReceivedAnswer } from '../venue.ts';

/** Sends a complete answer. */
export function sendAnswer(response: ServerResponse, answer: ReceivedAnswer): void {
  const { text, headers } = written(answer);
  response.writeHead(answer.status, headers).end(text);
}

/** Sends half of an answer with the length of the whole, and closes the connection. */
export function sendCut(response: ServerResponse, answer: ReceivedAnswer): void {
  const { text, headers } = written(answer);
  response.writeHead(answer.status, headers);
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy());
}

/** Sends an unreadable answer: half of the JSON, or the page of a proxy in between. */
export function sendMalformed(
  response: ServerResponse,
  answer: ReceivedAnswer,
  shape: 'truncated' | 'html',
): void {
  if (shape === 'html') {
    const page = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>';
    response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' }).end(page);
    return;
  }
  const { text } = written(answer);
  response
    .writeHead(answer.status, { 'content-type': 'application/json' })
    .end(text.slice(0, Math.ceil(text.length / 2)));
}

function written({ body = null, text: plain, headers }: ReceivedAnswer) {
  const isText = plain !== undefined;
  const text = plain ?? JSON.stringify(body);
  return {
    text,
    headers: {
      'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...headers,
    },
  };
}
