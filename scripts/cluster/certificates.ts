import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyMachine, type Cluster, MACHINES, REPOSITORY } from './files.ts';

/** Ten years: nothing renews them, and who holds a key is known by its name alone. */
const DAYS = '3650';

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** A certificate of its own, for a web server that is only tried. */
export function makeConsoleCertificate(host: string, etc: string): void {
  if (existsSync(join(etc, 'console.crt'))) return;
  const files = ['-keyout', join(etc, 'console.key'), '-out', join(etc, 'console.crt')];
  openssl('req', '-x509', ...NEW_KEY, '-days', '30', '-subj', `/CN=${host}`, ...files);
}

/**
 * The certificates by which database machines and repository know each other, by their names, signed by an authority of
 * this cluster. They are made once and kept in this folder.
 * @returns the files of a machine
 */
export function readCertificates(folder: string, { addresses }: Cluster) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string) => join(folder, name);
  if (!existsSync(at('ca.crt')))
    openssl(
      ...['req', '-x509', ...NEW_KEY, '-days', DAYS, '-subj', '/CN=Copydesk archive'],
      ...['-keyout', at('ca.key'), '-out', at('ca.crt')],
    );
  const sign = (name: string, address?: string) => {
    if (existsSync(at(`${name}.crt`))) return;
    const scratch = mkdtempSync(join(tmpdir(), 'copydesk-certificate-'));
    try {
      openssl(
        ...['req', ...NEW_KEY, '-subj', `/CN=${name}`],
        ...['-keyout', at(`${name}.key`), '-out', join(scratch, 'request')],
      );
      // pgBackRest compares the address with names alone. One without an address cannot be a server's.
      const uses = address
        ? `subjectAltName=DNS:${address}\nextendedKeyUsage=serverAuth${name === 'inbox' ? '' : ',clientAuth'}\n`
        : 'extendedKeyUsage=clientAuth\n';
      writeFileSync(join(scratch, 'uses'), uses);
      openssl(
        ...['x509', '-req', '-in', join(scratch, 'request'), '-CA', at('ca.crt'), '-CAkey', at('ca.key')],
        ...['-CAcreateserial', '-days', DAYS, '-extfile', join(scratch, 'uses'), '-out', at(`${name}.crt`)],
      );
    } finally {
      rmSync(scratch, { recursive: true });
    }
  };
  for (const machine of MACHINES) sign(machine, addresses[machine]);
  // Two of them: whoever reads the key of the inbox by way of its server is nobody to the databases.
  sign('inbox', addresses[REPOSITORY]);
  sign('vault');
  const read = (name: string, as: string) =>
    Object.fromEntries(
      ['crt', 'key'].map((kind) => [`${as}.${kind}`, readFileSync(at(`${name}.${kind}`), 'utf8')]),
    );
  return (machine: AnyMachine): Record<string, string> => ({
    'ca.crt': readFileSync(at('ca.crt'), 'utf8'),
    ...(machine === REPOSITORY
      ? { ...read('inbox', 'inbox'), ...read('vault', 'vault') }
      : read(machine, 'archive')),
  });
}
