/** A reason why the embedded database is not running, worded for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

interface DamagedFolder {
  dataDir: string;
  clusterDir: string;
  logFile?: string;
  problem: string;
}

/** The product never deletes or repairs data: the message names the problem and the remedy. */
export function damagedFolder({
  dataDir,
  clusterDir,
  logFile,
  problem,
}: DamagedFolder): EmbeddedPostgresError {
  const lines = [
    `The database folder cannot be used: ${problem}`,
    `  Folder: ${clusterDir}`,
    ...(logFile === undefined ? [] : [`  Log:    ${logFile}`]),
    `  Nothing was changed. "npm run reset" moves ${dataDir} aside and the next start begins with a new one.`,
  ];
  return new EmbeddedPostgresError(lines.join('\n'));
}
