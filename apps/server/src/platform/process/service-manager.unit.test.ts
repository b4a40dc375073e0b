import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readServiceManager } from '../../config.ts';
import { reportToServiceManager } from './service-manager.ts';

test('reports readiness once, and life twice in the time that the service manager allows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-notify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'notify');
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> ${folder}/sent\n`);
  chmodSync(program, 0o755);
  const manager = readServiceManager({ NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '100000' });
  expect(manager).toEqual({ socket: '/run/systemd/notify', watchdogMs: 100 });
  if (manager) reportToServiceManager(manager, program);
  await vi.waitFor(
    () => {
      const sent = readFileSync(join(folder, 'sent'), 'utf8').trim().split('\n');
      expect(sent.filter((line) => line === '/run/systemd/notify WATCHDOG=1').length).toBeGreaterThan(2);
      expect(sent.filter((line) => line === '/run/systemd/notify READY=1')).toHaveLength(1);
    },
    { timeout: 10_000 },
  );
});

test('a process that no service manager started reports to none', () => {
  expect(readServiceManager({})).toBeNull();
  expect(readServiceManager({ NOTIFY_SOCKET: '/run/x' })).toEqual({ socket: '/run/x', watchdogMs: null });
});
