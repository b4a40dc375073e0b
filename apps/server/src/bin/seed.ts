import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { seedDemoWorld } from '../demo/seed.ts';
import { migrate } from '../platform/db/migrate.ts';

// npm run seed -- --scale=N: loads the demo world into the database of DATABASE_OWNER_URL or DATABASE_URL.
const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } });
const { databaseOwnerUrl } = readConfig();
const scale = Number(values.scale);
if (!databaseOwnerUrl || !(scale > 0)) {
  console.error('Usage: DATABASE_URL=postgres://... npm run seed -- --scale=1');
  process.exit(1);
}
await migrate(databaseOwnerUrl);
const { seeded } = await seedDemoWorld(databaseOwnerUrl, { scale, onProgress: (line) => console.log(line) });
console.log(seeded ? 'The demo world is loaded.' : 'The database has data already; nothing was changed.');
