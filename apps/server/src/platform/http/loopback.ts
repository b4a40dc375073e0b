import type { FastifyRequest } from 'fastify';

/**
 * Headers that reveal a proxy or a tunnel, where the socket does not identify the client. Matched by family, because
 * each product has its own names.
 */
const PROXY_HEADER =
  /^(forwarded|via|cdn-loop|client-ip|true-client-ip|(cf|fastly|fly|akamai|ngrok|proxy)-.*|x-(forwarded|original|real|client|cluster|remote|proxy|envoy|amzn|appengine|azure|arr|vercel|nf|host|akamai|rewrite)\b.*)$/;

type Made = Pick<FastifyRequest, 'socket' | 'headers'> & {
  raw: Pick<FastifyRequest['raw'], 'httpVersion' | 'url' | 'rawHeaders'>;
};

/**
 * Whether a request comes from this machine to this machine, directly, and not from a page of another origin.
 * HTTP/1.0 and a full URL in the request line indicate a proxy; browsers and curl use neither.
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

/** Node keeps the first of several headers; a proxy may have used another one. */
function countOf(rawHeaders: string[], name: string): number {
  return rawHeaders.filter((value, index) => index % 2 === 0 && value.toLowerCase() === name).length;
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}

/** A DNS name that resolves to this machine is not accepted, which prevents DNS rebinding. */
function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}
