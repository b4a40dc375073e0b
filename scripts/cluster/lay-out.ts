import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeConsoleCertificate, readCertificates } from './certificates.ts';
import {
  type AnyMachine,
  type Cluster,
  type Place,
  REPOSITORY,
  readPasswords,
  renderFiles,
  writeFiles,
} from './files.ts';
import { ADDRESSES } from './machines.ts';

/** Where the machines of the local cluster have their files. */
export const FOLDER = join(tmpdir(), 'copydesk-cluster');
const HOST = 'console.example.com';
export const DATABASE_USER = 'postgres';

export const placeOf = (machine: AnyMachine): Place => ({
  etc: join(FOLDER, machine, 'etc'),
  data: join(FOLDER, machine, 'data'),
});

export const localCluster = (): Cluster => {
  mkdirSync(FOLDER, { recursive: true });
  chmodSync(FOLDER, 0o755);
  return { addresses: ADDRESSES, host: HOST, passwords: readPasswords(join(FOLDER, 'passwords.json')) };
};

const idOf = (what: '-u' | '-g') => Number(execFileSync('id', [what, DATABASE_USER], { encoding: 'utf8' }));

/** The files of a machine, where its programs can read them. */
export function layOut(machine: AnyMachine, cluster: Cluster): void {
  const { etc, data } = placeOf(machine);
  const certificates = readCertificates(join(FOLDER, 'certificates'), cluster);
  const files = { ...renderFiles(machine, cluster, placeOf), ...certificates(machine) };
  writeFiles(etc, files);
  // Its prepare.sh says whose they are.
  if (machine === REPOSITORY) return;
  mkdirSync(data, { recursive: true });
  const [user, group] = [idOf('-u'), idOf('-g')];
  for (const path of [etc, data, ...Object.keys(files).map((name) => join(etc, name))])
    chownSync(path, user, group);
  makeConsoleCertificate(HOST, etc);
}
