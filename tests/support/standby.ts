import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BareCluster, startBareCluster } from './bare-cluster.ts';

/**
 * A standby that follows a leader of this machine from now on.
 * @param options.name as the leader knows it
 * @param options.settings further ones of the server
 */
export async function startStandby(
  binDir: string,
  leader: BareCluster,
  { name, settings = [] }: { name: string; settings?: readonly string[] },
): Promise<BareCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-standby-'));
  const copy = join(folder, 'copy');
  const { port } = new URL(leader.adminUrl);
  execFileSync(
    join(binDir, 'pg_basebackup'),
    ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-D', copy, '-X', 'stream', '--checkpoint=fast'],
    { env: { PGPASSWORD: leader.password }, stdio: 'ignore' },
  );
  writeFileSync(join(copy, 'standby.signal'), '');
  const standby = await startBareCluster(binDir, {
    restored: { folder: copy, password: leader.password },
    settings: [
      `primary_conninfo=host=127.0.0.1 port=${port} user=postgres password=${leader.password} application_name=${name}`,
      ...settings,
    ],
  });
  rmSync(folder, { recursive: true });
  return standby;
}

/** The first process of a server. */
export const postmasterOf = ({ dataFolder }: BareCluster): number =>
  Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);

/** The processes that a server has started. @param named those whose command line has it */
export function childrenOf(server: BareCluster, named = ''): number[] {
  const postmaster = postmasterOf(server);
  return readdirSync('/proc').flatMap((each) => {
    try {
      const isChild = new RegExp(`^PPid:\\s+${postmaster}$`, 'm').test(
        readFileSync(`/proc/${each}/status`, 'utf8'),
      );
      return isChild && readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(named) ? [Number(each)] : [];
    } catch {
      return []; // no process, or it has ended
    }
  });
}
