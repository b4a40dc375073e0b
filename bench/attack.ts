import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../apps/server/src/config.ts';
import { resolveDataFolders } from '../apps/server/src/launcher/data-folders.ts';
import { startEmbeddedPostgres } from '../apps/server/src/launcher/embedded-postgres.ts';
import { attackByFuzz } from './attack/fuzz-part.ts';
import { attackBySql } from './attack/sql-part.ts';
import { attackByCode, attackByFourEyes } from './attack/test-parts.ts';

// npm run attack: attacks the product on loopback, prints figures, and fails when it gives way. `npm run attack -- fuzz`
// runs one part, `--requests=` and `--seed=` set its size and repeat it.
const PARTS = { sql: attackBySql, code: attackByCode, 'four-eyes': attackByFourEyes, fuzz: attackByFuzz };

const { values, positionals } = parseArgs({
  options: { requests: { type: 'string', default: '60000' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const options = {
  requests: Number(values.requests),
  seed: Number(values.seed ?? Date.now() % 1_000_000),
};
const { cacheDir } = resolveDataFolders(readConfig().dataDir);
const dataDir = join(cacheDir, 'attack');
const postgres = await startEmbeddedPostgres({ dataDir, cacheDir, forTests: true });
let holds = true;
try {
  for (const [name, attack] of Object.entries(PARTS))
    if (positionals.length === 0 || positionals.includes(name))
      holds = (await attack(postgres.ownerUrl, dataDir, options)) && holds;
} finally {
  await postgres.stop();
}
process.exit(holds ? 0 : 1);
