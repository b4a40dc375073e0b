import { lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '../platform/process/start-error.ts';

export interface UnixUser {
  uid: number;
  gid: number;
}

/**
 * The user that PostgreSQL must run as, or null when the current one will do: it refuses root. Root keeps the
 * owner of an existing cluster, so one start with sudo changes nothing; otherwise it takes the user `nobody`.
 * @throws StartError when no user can run it
 */
export function findServerUser(clusterDir: string): UnixUser | null {
  const current = process.getuid?.();
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (current !== 0) {
    if (owner && owner.uid !== current)
      throw refusal(
        `The database folder ${clusterDir} belongs to uid ${owner.uid}. Start as that user or as root, or choose another folder with COPYDESK_DATA_DIR.`,
      );
    requirePasswdEntry();
    return null;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = readUsers();
  const found = users.find(({ name }) => name === 'nobody') ?? users[0];
  if (!found)
    throw refusal(
      'PostgreSQL refuses to run as root and /etc/passwd names no other user. Start as another user, or set DATABASE_URL.',
    );
  return { uid: found.uid, gid: found.gid };
}

/** Whether a user may pass through every folder above `path` and enter, or run, `path` itself. */
export function canReach(path: string, user: UnixUser): boolean {
  for (let place = path; ; place = dirname(place)) {
    const entry = statSync(place, { throwIfNoEntry: false });
    if (entry) {
      const bit = entry.uid === user.uid ? 0o100 : entry.gid === user.gid ? 0o010 : 0o001;
      if ((entry.mode & bit) === 0) return false;
    }
    if (place === dirname(place)) return true;
  }
}

/** Gives a folder of root's with its contents to a user: PostgreSQL accepts only a cluster of its own user. */
export function giveTo({ uid, gid }: UnixUser, folder: string): void {
  if (statSync(folder).uid === uid) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid);
  lchownSync(folder, uid, gid);
}

function readUsers() {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
}

/** initdb looks the name of its user up. */
function requirePasswdEntry(): void {
  try {
    userInfo();
  } catch {
    throw refusal(
      `PostgreSQL needs a user with a name, and uid ${process.getuid?.()} has no entry in /etc/passwd. Start as another user, or set DATABASE_URL.`,
    );
  }
}

const refusal = (message: string) => new StartError(message, { isSetting: false });
