import type { FastifyRequest } from 'fastify';

/** Headers by which a proxy gives itself away: behind one, the socket says nothing about the client. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a request was made on this machine, to this machine, with nothing in between. */
export function isFromThisMachine({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host ?? '') &&
    PROXY_HEADERS.every((name) => headers[name] === undefined)
  );
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}

/** A name that leads here by DNS is not one of these, so a foreign page cannot rebind its way in. */
function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}
