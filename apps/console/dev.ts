import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

// `npm run dev`: the whole product with Vite in front of it. A change of the console is on screen at once; a change of
// the server starts it again. PORT is the console's; the API listens on the next one.

const projectDir = fileURLToPath(new URL('../..', import.meta.url));
const port = Number(process.env.PORT ?? 3000);
const apiPort = port + 1;
const origin = `http://127.0.0.1:${port}`;
const SERVER_SOURCES = [
  'apps/server/src',
  'apps/simulators/src',
  'packages/domain/src',
  'packages/contract/src',
];
/** An editor writes several files at once. */
const SETTLES_MS = 200;

let isEnding = false;
let isChanged = false;
let server = start();

function start() {
  isChanged = false;
  const child = spawn(process.execPath, ['apps/server/src/bin/start.ts'], {
    cwd: projectDir,
    // Signing in is for the origin that the browser shows.
    env: { ...process.env, PORT: String(apiPort), PUBLIC_URL: origin },
    stdio: 'inherit',
    // Ctrl-C reaches this script only, which lets the product end in order.
    detached: true,
  });
  child.once('exit', () => {
    if (isEnding) process.exit();
    if (isChanged) server = start();
    else process.stdout.write('The product has ended. It starts again with the next change.\n');
  });
  return child;
}

let timer: NodeJS.Timeout | undefined;
function restart(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    isChanged = true;
    if (server.exitCode === null && server.signalCode === null) server.kill('SIGTERM');
    else server = start();
  }, SETTLES_MS);
}
for (const folder of SERVER_SOURCES)
  watch(`${projectDir}${folder}`, { recursive: true }, (_, file) => {
    if (file && !file.includes('.test.')) restart();
  });

const vite = await createServer({
  configFile: `${projectDir}apps/console/vite.config.ts`,
  server: {
    host: '127.0.0.1',
    port,
    strictPort: true,
    // The API compares the origin of a page with the host that it was sent to.
    proxy: { '/api': { target: `http://127.0.0.1:${apiPort}`, changeOrigin: false } },
  },
});
await vite.listen();

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isEnding = true;
    void vite.close();
    if (!server.kill('SIGTERM')) process.exit();
  });
