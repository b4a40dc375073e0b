import { seedDemoWorld } from '../../apps/server/src/demo/seed.ts';
import { migrate } from '../../apps/server/src/platform/db/installation/migrate.ts';
import { BOX } from '../../tests/support/test-keys.ts';
import { BENCH_KEYRING } from './bench-keyring.ts';

// A separate process: the memory that loading leaves behind would slow the measuring one.
const [ownerUrl = '', traders = '', hasCredentials = 'false', hasHistory = 'false'] = process.argv.slice(2);
await migrate(ownerUrl);
await seedDemoWorld(ownerUrl, {
  scale: Number(traders) / 600,
  hasHistory: hasHistory === 'true',
  keyring: hasCredentials === 'true' ? BENCH_KEYRING : undefined,
  box: hasCredentials === 'true' ? BOX : null,
});
