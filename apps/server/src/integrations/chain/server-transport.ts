import { BaseError, type HttpTransport, type HttpTransportConfig, http } from 'viem';

/**
 * Speaks HTTP with one server. Its errors come into the log: they name the host only, as there may be a key in the rest
 * of the address, and not what was asked, as questions go together with signed bytes.
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
  const told = (text: string) =>
    text.replace(/^Request body: .*$/gm, 'Request body: [hidden]').replaceAll(url, host);
  error.message = told(error.message);
  if (error.stack) error.stack = told(error.stack);
  // What is made of it further up repeats these.
  if (error instanceof BaseError && error.metaMessages) error.metaMessages = error.metaMessages.map(told);
}
