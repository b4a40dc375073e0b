import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Bundle } from './bundles.ts';

/** The origin that browsers see: the product, and below /__clerk the service, as an operator's proxy has them. */
export interface Front {
  url: string;
  /** Where requests go from now on. */
  pass(targets: { product: string; clerk: string }): void;
  /** Takes the service's scripts, or its API, away. */
  breaks(what: 'scripts' | 'service' | null): void;
  /** Requests to the service, without those for scripts. */
  asked: string[];
  close(): Promise<void>;
}

const SCRIPT = /^\/npm\/@clerk\/(clerk-js|ui)@[\w.]+\/dist\/([\w.-]+\.js)$/;

export async function startFront(bundles: Record<Bundle, string>): Promise<Front> {
  let targets = { product: '', clerk: '' };
  let broken: 'scripts' | 'service' | null = null;
  const asked: string[] = [];

  function sendScript(path: string, response: ServerResponse): void {
    const [, name, file] = SCRIPT.exec(path) ?? [];
    const found = name && file ? join(bundles[name as Bundle], file) : '';
    if (broken === 'scripts' || !existsSync(found)) response.writeHead(404).end();
    else createReadStream(found).pipe(response.writeHead(200, { 'content-type': 'text/javascript' }));
  }

  function forward(incoming: IncomingMessage, response: ServerResponse, target: string, path: string): void {
    const { method, headers } = incoming;
    const outgoing = request(new URL(path, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    if (!path.startsWith('/__clerk/')) return forward(incoming, response, targets.product, path);
    const inner = path.slice('/__clerk'.length);
    if (inner.startsWith('/npm/')) return sendScript(inner, response);
    asked.push(`${incoming.method} ${inner}`);
    if (broken === 'service') return void response.destroy();
    forward(incoming, response, targets.clerk, inner);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pass: (given) => {
      targets = given;
    },
    breaks: (what) => {
      broken = what;
    },
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
