import { join } from 'node:path';
import { REPOSITORY } from './files.ts';
import { placeOf } from './lay-out.ts';
import { runProgram } from './machines.ts';

const place = placeOf(REPOSITORY);

/** Takes a backup, a full one if it is the first. @throws Error with the words of pgBackRest */
export const takeBackup = (): void => {
  runProgram(REPOSITORY, { command: ['bash', join(place.etc, 'backup.sh')] });
};

/**
 * The database as it was at a moment, in a folder beside the running cluster.
 * @param time as PostgreSQL writes it, with its zone
 * @returns how it is reached
 * @throws Error with the words of pgBackRest, or of PostgreSQL where the archive does not reach that far
 */
export function restoreTo(time: string): string {
  const command = ['bash', join(place.etc, 'look.sh'), time];
  return runProgram(REPOSITORY, { command }).trim().split('\n').at(-1) ?? '';
}

/** What the vault has, as `pgbackrest info` tells of it. */
export interface Archive {
  /** The segments of each generation of the database, the last one is the present one's. */
  archive: readonly { max: string | null }[];
  backup: readonly { label: string; timestamp: { stop: number } }[];
}

/** What the vault has. @throws Error where the repository was not prepared */
export function readArchive(): Archive {
  const command = ['pgbackrest', `--config=${join(place.etc, 'vault.conf')}`, 'info', '--output=json'];
  const [stanza] = JSON.parse(runProgram(REPOSITORY, { command })) as Archive[];
  return stanza ?? { archive: [], backup: [] };
}

const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Where a segment ends in the log, from its name: eight digits each of timeline, gigabytes by four, and segment. */
const endOf = (segment: string): number =>
  Number.parseInt(segment.slice(8, 16), 16) * 2 ** 32 +
  (Number.parseInt(segment.slice(16, 24), 16) + 1) * SEGMENT_BYTES;

/**
 * The archive in words.
 * @param position of the leader in the log, in bytes; null: nobody leads
 */
export function describeArchive({ archive, backup }: Archive, position: number | null): string {
  const last = archive.at(-1)?.max;
  const newest = backup.at(-1);
  const segments = last && position !== null ? Math.ceil((position - endOf(last)) / SEGMENT_BYTES) : null;
  return [
    last ? `log up to ${last}` : 'no log',
    ...(segments === null
      ? []
      : [segments > 1 ? `${segments} segments behind` : 'the present segment is missing']),
    newest ? `last backup ${new Date(newest.timestamp.stop * 1_000).toISOString()}` : 'no backup',
  ].join('  ');
}
