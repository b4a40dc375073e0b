import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const START_PROCESS = new URL('./start-process.ts', import.meta.url).href;

/** A server whose start goes on for so long after it has begun to serve. @returns what it wrote, and its end */
async function endDuringStart(startMs: number) {
  const program = `
    import { writeSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { startProcess } from ${JSON.stringify(START_PROCESS)};
    await startProcess({
      name: 'api',
      manager: null,
      readConfig: () => ({ logLevel: 'error', drainMs: 0, tracing: null }),
      async start() {
        await sleep(1);
        writeSync(1, 'serves ');
        await sleep(${startMs});
        return async () => void writeSync(1, 'stopped in order');
      },
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    if (text === '') child.kill('SIGTERM');
    text += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { text, code, signal };
}

test('a signal during the start ends a server in order, as soon as it has started', async () => {
  expect(await endDuringStart(300)).toEqual({ text: 'serves stopped in order', code: 0, signal: null });
});

test('a start that takes long is given up', async () => {
  expect(await endDuringStart(60_000)).toEqual({ text: 'serves ', code: 0, signal: null });
});
