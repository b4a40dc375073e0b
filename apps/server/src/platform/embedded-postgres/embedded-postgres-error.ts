/** A reason why the embedded database is not running, in words for the person who typed the command. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

interface DamagedFolder {
  dataDir: string;
  clusterDir: string;
  logFile?: string;
  problem: string;
}

/** Nothing is deleted or repaired on our own account: the message says what is wrong and the way out. */
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
