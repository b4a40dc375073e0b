import { connect } from 'node:net';

export interface RawAnswer {
  text: string;
  status: number;
  headers: Record<string, string>;
  json(): unknown;
  /** From the connection to its end. */
  ms: number;
}

/** Sends raw bytes, and collects the answer until the server ends the connection. */
export function sendBytes(port: number, bytes: string, { ends = false } = {}): Promise<RawAnswer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (ends) socket.end(bytes);
      else socket.write(bytes);
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (text ? undefined : reject(error)));
    socket.on('close', () => resolve({ ...parse(text), ms: performance.now() - startedAt }));
  });
}

function parse(text: string): Omit<RawAnswer, 'ms'> {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { text, status: Number(first.split(' ')[1]), headers, json: () => JSON.parse(body) };
}
