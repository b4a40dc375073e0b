import { mkdirSync, writeFileSync } from 'node:fs';
import { readConfig } from '../apps/server/src/config.ts';
import { resolveDataFolders } from '../apps/server/src/launcher/data-folders.ts';
import { startEmbeddedPostgres } from '../apps/server/src/launcher/embedded-postgres.ts';
import { migrate } from '../apps/server/src/platform/db/installation/migrate.ts';

const { cacheDir } = resolveDataFolders(readConfig().dataDir);
mkdirSync('/tmp/zz-pg', { recursive: true });
const p = await startEmbeddedPostgres({ dataDir: '/tmp/zz-pg', cacheDir, forTests: true });
await migrate(p.ownerUrl);
writeFileSync('/tmp/zz-url', p.ownerUrl);
console.log('ready');
setInterval(() => {}, 1e6);
