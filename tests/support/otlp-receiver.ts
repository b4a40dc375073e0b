import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Value {
  stringValue?: string;
  intValue?: number;
  boolValue?: boolean;
}

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number | boolean | undefined>;
  /** 2: an error. */
  status: number;
  service: string;
  version: string;
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'status' | 'service' | 'version'> & {
        attributes: { key: string; value: Value }[];
        status: { code: number };
      })[];
    }[];
  }[];
}

const attributesOf = (list: { key: string; value: Value }[]) =>
  Object.fromEntries(
    list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
  );

/** A receiver of traces over OTLP and HTTP, on loopback. */
export async function startOtlpReceiver() {
  const bodies: string[] = [];
  const headers: Record<string, string | string[] | undefined>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body);
      headers.push(request.headers);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    /** Everything that was received, as it came. */
    text: () => bodies.join('\n'),
    spans: (): ReceivedSpan[] =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map(({ attributes, status, ...span }) => ({
              ...span,
              attributes: attributesOf(attributes),
              status: status.code,
              service: String(attributesOf(resource.attributes)['service.name']),
              version: String(attributesOf(resource.attributes)['service.version']),
            })),
          ),
        ),
      ),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
