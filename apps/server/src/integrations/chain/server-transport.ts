import { BaseError, type HttpTransport, type HttpTransportConfig, http } from 'viem';

/**
 * HTTP with one server. Its errors reach the log, so they contain neither the full address, which may hold a key (only
 * the host), nor the request, because signed bytes are sent in requests too.
 */
export function serverTransport(url: string, config: HttpTransportConfig): HttpTransport {
  const open = http(url, config);
  return (options) => {
    const transport = open(options);
    const request = (async (...asked: Parameters<typeof transport.request>) => {
      try {
        return await transport.request(...asked);
      } catch (error) {
        for (let each: unknown = error; each instanceof Error; each = each.cause) hush(each, url);
        throw error;
      }
    }) as typeof transport.request;
    return { ...transport, request };
  };
}

function hush(error: Error, url: string): void {
  const { host } = new URL(url);
  const redact = (text: string) =>
    text.replace(/^Request body: .*$/gm, 'Request body: [hidden]').replaceAll(url, host);
  error.message = redact(error.message);
  if (error.stack) error.stack = redact(error.stack);
  // Errors of higher layers repeat these messages.
  if (error instanceof BaseError && error.metaMessages) error.metaMessages = error.metaMessages.map(redact);
}
