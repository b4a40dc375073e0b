import { createConnection, createServer, type Socket } from 'node:net';

// A wire to another machine: what arrives at the port of the first argument leaves for that of the second one after as
// many milliseconds as the third says, each way. A process of its own, so that a busy bench does not lengthen it.
const [from, to, delay] = process.argv.slice(2).map(Number);

function carry(source: Socket, target: Socket): void {
  source.on('data', (bytes) => setTimeout(() => target.write(bytes), delay));
  source.on('close', () => target.destroy());
  source.on('error', () => target.destroy());
  source.setNoDelay(true);
}

createServer((near) => {
  const far = createConnection({ port: to ?? 0, host: '127.0.0.1' });
  carry(near, far);
  carry(far, near);
}).listen(from, '127.0.0.1');
