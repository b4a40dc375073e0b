export interface LockedPackage {
  version?: string;
  dev?: boolean;
  link?: boolean;
  license?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}
export interface LockFile {
  packages: Record<string, LockedPackage>;
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const LIBRARIES: Record<string, string> = {
  gnu: 'glibc',
  gnueabihf: 'glibc',
  musl: 'musl',
  musleabihf: 'musl',
};

/** A package built for one platform, that a package of the lock file names and the lock file does not have. */
export interface Missing {
  /** Its place in the lock file. */
  path: string;
  entry: LockedPackage;
}

/**
 * A registry may have packages for some platforms only. npm then leaves the others out of the lock file, and
 * `npm ci` refuses that file later, on every platform. Their versions are known nevertheless: a package that
 * names them names one version.
 * @throws when the version is a range, or the name does not say the platform
 */
export function missingPlatforms({ packages }: LockFile): Missing[] {
  return Object.entries(packages).flatMap(([path, { dev, license, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesOf(path, name).some((place) => packages[place]))
      .map(([name, version]) => ({
        path: `node_modules/${name}`,
        entry: { ...entryOf(name, version), ...(dev && { dev }), ...(license && { license }) },
      })),
  );
}

/** Where a package looks for another one: in itself, then in each package around it. */
function placesOf(path: string, name: string): string[] {
  const place = `${path && `${path}/`}node_modules/${name}`;
  if (path === '') return [place];
  const around = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
  return [place, ...placesOf(around, name)];
}

function entryOf(name: string, version: string): LockedPackage {
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) throw new Error(`${name}: ${version} is not one version`);
  const words = name
    .slice(name.lastIndexOf('/') + 1)
    .split('-')
    .map((word) => (word === 'amd64' ? 'x64' : word));
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const libc = words.flatMap((word) => LIBRARIES[word] ?? []);
  if (cpu.length !== 1) throw new Error(`${name} does not say its platform`);
  return {
    version,
    cpu,
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
