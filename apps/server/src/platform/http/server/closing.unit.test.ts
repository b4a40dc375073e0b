import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from './server.ts';

const REQUEST = 'GET /soon HTTP/1.1\r\nhost: desk\r\n\r\n';

/** @returns the status line of the next answer */
const statusLineOf = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString().split('\r\n')[0] ?? ''));
    socket.once('close', () => resolve('closed'));
  });

test('a request that arrives while the server closes is carried out, if its connection was there before', async () => {
  const app = await createHttpServer({
    log: pino({ level: 'silent' }),
    trustedProxies: 0,
    isSecure: false,
    endStreams: async () => {},
  });
  let answer = () => {};
  app.get('/slow', () => new Promise((resolve) => (answer = () => resolve('late'))));
  app.get('/soon', async () => 'here');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  // One request keeps the server from ending, and another one has begun to arrive.
  const slow = fetch(`http://127.0.0.1:${port}/slow`);
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(REQUEST.slice(0, 20));
  await new Promise((resolve) => setTimeout(resolve, 100));

  const closed = app.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const arrived = statusLineOf(socket);
  socket.write(REQUEST.slice(20));
  expect(await arrived).toBe('HTTP/1.1 200 OK');
  answer();
  expect((await slow).status).toBe(200);
  await closed;
});
