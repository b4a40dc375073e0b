import { applicationUrlOf } from '../../tests/support/application-url.ts';
import { benchDatabase } from '../support/databases.ts';
import { startApi } from '../support/product.ts';
import { runSql, type SqlMode, type SqlResult } from './sql.ts';
import { compareWithRemaining, REMAINING } from './sql-remaining.ts';

const TRADERS = 60;
const MODES: readonly SqlMode[] = ['in the role of the API', 'as the login, which inherits the role'];

/**
 * Runs statements against the database as a person who has the API's login. @returns whether only what is on
 * the list is possible
 */
export async function attackBySql(ownerUrl: string, dataDir: string): Promise<boolean> {
  const databaseUrl = await benchDatabase(ownerUrl, TRADERS, { hasCredentials: true, hasHistory: true });
  // It makes the personas.
  await (await startApi(databaseUrl, dataDir)).stop();
  const applicationUrl = await applicationUrlOf(databaseUrl);
  let holds = true;
  for (const mode of MODES)
    holds = print(mode, await runSql({ ownerUrl: databaseUrl, applicationUrl, mode })) && holds;
  return holds;
}

function print(mode: SqlMode, result: SqlResult): boolean {
  const { attempts, refused, invalid, idle, possible, scenarios, breaches, empty, unproven } = result;
  const { unlisted, refused: listedButRefused } = compareWithRemaining(possible);
  console.log(
    `\nsql, ${mode}: ${attempts} statements, ${refused} refused, ${invalid} ended by their values, ${idle} without effect`,
  );
  console.log(`${possible.size} acts are possible, ${unlisted.length} of them not on the list:`);
  for (const { on, acts, why } of REMAINING) console.log(`  ${on}: ${acts}\n    ${why}`);
  for (const act of unlisted) console.log(`  NOT LISTED ${act}`);
  for (const act of listedButRefused) console.log(`  LISTED, AND REFUSED ${act}`);
  console.log(`${scenarios} sequences, ${breaches.length} went through`);
  for (const breach of breaches) console.log(`  WENT THROUGH ${breach}`);
  if (empty.length > 0) console.log(`without a row, so only inserts were tried: ${empty.join(', ')}`);
  if (unproven.length > 0) console.log(`not known, every value was refused: ${unproven.join(', ')}`);
  return unlisted.length + listedButRefused.length + breaches.length === 0;
}
