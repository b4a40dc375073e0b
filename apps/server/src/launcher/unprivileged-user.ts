import { lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

export interface UnixUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, and initdb needs a uid with a passwd entry. */
const PREFERRED_NAMES = ['nobody', 'postgres', 'daemon'];

/**
 * The user that PostgreSQL must run as, or null when the current one will do. Root keeps the owner of an existing
 * cluster, so one start with sudo changes nothing.
 */
export function findServerUser(clusterDir: string): UnixUser | null {
  const current = process.getuid?.();
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (current !== 0) {
    if (owner && current !== undefined && owner.uid !== current) throw ownedByAnother(clusterDir, owner.uid);
    requirePasswdEntry();
    return null;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const entries = readPasswd();
  const found =
    PREFERRED_NAMES.map((name) => entries.find((entry) => entry.name === name)).find((entry) => entry) ??
    entries.find((entry) => entry.uid > 0);
  if (!found) {
    throw new EmbeddedPostgresError(
      'PostgreSQL refuses to run as root and /etc/passwd names no other user. Start as another user, or set DATABASE_URL.',
    );
  }
  return { uid: found.uid, gid: found.gid };
}

/** Whether a user may pass through every folder above `path` and enter `path` itself. */
export function canReach(path: string, user: UnixUser): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const entry = statSync(folder, { throwIfNoEntry: false });
    if (entry) {
      const bit = entry.uid === user.uid ? 0o100 : entry.gid === user.gid ? 0o010 : 0o001;
      if ((entry.mode & bit) === 0) return false;
    }
    if (folder === dirname(folder)) return true;
  }
}

function readPasswd(): { name: string; uid: number; gid: number }[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

function requirePasswdEntry(): void {
  try {
    userInfo();
  } catch {
    throw new EmbeddedPostgresError(
      `PostgreSQL needs a user with a name, and uid ${process.getuid?.()} has no entry in /etc/passwd. Start as another user, or set DATABASE_URL.`,
    );
  }
}

function ownedByAnother(clusterDir: string, uid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database folder ${clusterDir} belongs to uid ${uid}. Start as that user or as root, or choose another folder with COPYDESK_DATA_DIR.`,
  );
}

/** A cluster that root copied or restored belongs to root; the server accepts only a cluster of its own user. */
export function takeOver(clusterDir: string, { uid, gid }: UnixUser): void {
  if (statSync(clusterDir).uid === uid) return;
  for (const entry of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(clusterDir, entry), uid, gid);
  }
  lchownSync(clusterDir, uid, gid);
}
