import type { FastifyRequest } from 'fastify';

/**
 * Headers by which a proxy or a tunnel gives itself away: behind one, the socket says nothing about the client. By
 * family, since each product has names of its own.
 */
const PROXY_HEADER =
  /^(forwarded|via|cdn-loop|client-ip|true-client-ip|(cf|fastly|fly|akamai|ngrok|proxy)-.*|x-(forwarded|original|real|client|cluster|remote|proxy|envoy|amzn|appengine|azure|arr|vercel|nf|host|akamai|rewrite)\b.*)$/;

type Made = Pick<FastifyRequest, 'socket' | 'headers'> & {
  raw: Pick<FastifyRequest['raw'], 'httpVersion' | 'url' | 'rawHeaders'>;
};

/**
 * Whether a request was made on this machine, to this machine, with nothing in between, and by no page of another
 * origin. HTTP/1.0 and a whole URL in the request line are how proxies speak; browsers and curl do neither.
 */
export function isFromThisMachine({ socket, headers, raw }: Made): boolean {
  const host = headers.host ?? '';
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    raw.httpVersion === '1.1' &&
    raw.url?.startsWith('/') === true &&
    countOf(raw.rawHeaders, 'host') === 1 &&
    isLoopbackHost(host) &&
    (headers.origin === undefined || headers.origin === `http://${host}`) &&
    (headers['sec-fetch-site'] === undefined || headers['sec-fetch-site'] === 'same-origin') &&
    !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
  );
}

/** Node keeps the first of several; a proxy may have looked at another one. */
function countOf(rawHeaders: string[], name: string): number {
  return rawHeaders.filter((value, index) => index % 2 === 0 && value.toLowerCase() === name).length;
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}

/** A name that leads here by DNS is not one of these, so a foreign page cannot rebind its way in. */
function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}
