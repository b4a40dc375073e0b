import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  /** What it answers to the next recipients, one after the other; it takes all others. */
  replies: string[];
  /** The mails that it has taken, decoded. */
  taken: string[];
}

/** A mail server on loopback, until the test ends. */
export async function startMailServer(): Promise<MailServer> {
  const replies: string[] = [];
  const taken: string[] = [];
  const server = createServer((socket) => talk(socket, { replies, taken }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `smtp://127.0.0.1:${port}`, replies, taken };
}

function talk(socket: Socket, { replies, taken }: Pick<MailServer, 'replies' | 'taken'>): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let received = '';
  let isData = false;
  const next = (end: string): string | null => {
    const at = received.indexOf(end);
    if (at === -1) return null;
    const text = received.slice(0, at);
    received = received.slice(at + end.length);
    return text;
  };
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received += chunk;
    for (
      let text = next(isData ? '\r\n.\r\n' : '\r\n');
      text !== null;
      text = next(isData ? '\r\n.\r\n' : '\r\n')
    ) {
      if (isData) {
        taken.push(decode(text));
        isData = false;
        say('250 taken');
        continue;
      }
      const verb = text.slice(0, 4).toUpperCase();
      isData = verb === 'DATA';
      say(verb === 'RCPT' ? (replies.shift() ?? '250 ok') : (ANSWERS[verb] ?? '250 ok'));
      if (verb === 'QUIT') socket.end();
    }
  });
  say('220 test');
}

const ANSWERS: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye' };

/** Quoted-printable, as long lines are sent. */
const decode = (text: string) => text.replace(/=\r\n/g, '').replace(/=3D/g, '=');
