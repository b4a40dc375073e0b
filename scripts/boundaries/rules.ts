/** One edge of the import graph. Paths are relative to the project, packages are `npm:name` or `node:name`. */
export interface Import {
  from: string;
  to: string;
  isTypeOnly: boolean;
}

interface Rule {
  name: string;
  /** The importing files that the rule applies to. `to` may use its groups as $1. */
  from: RegExp;
  /** Their allowed imports. Every other import is a violation. */
  mayImport: string[];
  /** Further imports allowed as types only. */
  mayImportTypes?: string[];
}

const DOMAIN = 'packages/domain/src/';
const CONTRACT = 'packages/contract/src/';
const SERVER = 'apps/server/src/';
const CONSOLE = 'apps/console/src/';
const SIMULATORS = 'apps/simulators/src/';
const PACKAGES = ['npm:', 'node:'];

/** The first rule whose `from` matches a file applies to it. */
const RULES: Rule[] = [
  { name: 'domain is pure', from: /^packages\/domain\/src\//, mayImport: [DOMAIN, 'npm:decimal.js'] },
  {
    name: 'contract knows domain and zod',
    from: /^packages\/contract\/src\//,
    mayImport: [CONTRACT, DOMAIN, 'npm:zod'],
  },
  {
    name: 'platform knows no feature and no integration',
    from: /^apps\/server\/src\/platform\//,
    mayImport: [`${SERVER}platform/`, CONTRACT, DOMAIN, ...PACKAGES],
  },
  {
    name: 'an integration knows platform and its own folder',
    from: /^apps\/server\/src\/integrations\/([^/]+)/,
    mayImport: [`${SERVER}integrations/$1`, `${SERVER}platform/`, DOMAIN, ...PACKAGES],
  },
  {
    name: "core knows platform and the gateways' errors, and no feature",
    from: /^apps\/server\/src\/core\//,
    mayImport: [
      `${SERVER}core/`,
      `${SERVER}platform/`,
      // The interface of an integration and its error class, without its code.
      `${SERVER}integrations/*/gateway.ts`,
      DOMAIN,
      ...PACKAGES,
    ],
    mayImportTypes: [`${SERVER}integrations/`],
  },
  {
    name: "a feature knows core, platform, its own folder, other features' views and the gateways' errors",
    from: /^apps\/server\/src\/features\/([^/]+)\//,
    mayImport: [
      `${SERVER}features/$1/`,
      `${SERVER}features/*/*.views.ts`,
      `${SERVER}core/`,
      `${SERVER}platform/`,
      // The interface of an integration and its error class, without its code.
      `${SERVER}integrations/*/gateway.ts`,
      CONTRACT,
      DOMAIN,
      ...PACKAGES,
    ],
    mayImportTypes: [`${SERVER}integrations/`],
  },
  {
    name: 'the demo world of the server is that of the simulators',
    from: /^apps\/server\/src\/demo\//,
    mayImport: ['apps/server/', `${SIMULATORS}world/`, CONTRACT, DOMAIN, ...PACKAGES],
  },
  {
    name: 'the server does not know the console',
    from: /^apps\/server\//,
    mayImport: ['apps/server/', CONTRACT, DOMAIN, ...PACKAGES],
  },
  {
    name: 'ui knows no API, no feature and no screen',
    from: /^apps\/console\/src\/ui\//,
    mayImport: [`${CONSOLE}ui/`, `${CONSOLE}lib/`, DOMAIN, ...PACKAGES],
  },
  {
    name: 'lib knows no feature and no screen',
    from: /^apps\/console\/src\/lib\//,
    mayImport: [`${CONSOLE}lib/`, DOMAIN, ...PACKAGES],
    mayImportTypes: [CONTRACT],
  },
  {
    name: 'a console feature knows ui, lib and its own folder',
    from: /^apps\/console\/src\/features\/([^/]+)\//,
    mayImport: [`${CONSOLE}features/$1/`, `${CONSOLE}ui/`, `${CONSOLE}lib/`, DOMAIN, ...PACKAGES],
    mayImportTypes: [CONTRACT],
  },
  {
    name: 'the console knows domain, and the contract as types',
    from: /^apps\/console\//,
    mayImport: ['apps/console/', DOMAIN, ...PACKAGES],
    mayImportTypes: [CONTRACT],
  },
  {
    name: 'the simulated world knows no venue',
    from: /^apps\/simulators\/src\/world\//,
    mayImport: [`${SIMULATORS}world/`, DOMAIN, ...PACKAGES],
  },
  {
    name: 'a simulator knows neither server nor console',
    from: /^apps\/simulators\//,
    mayImport: [SIMULATORS, DOMAIN, ...PACKAGES],
  },
];

/** Packages of a vendor that one folder alone may know, so that another vendor replaces that folder. */
const VENDORS: { name: string; of: RegExp; within: RegExp }[] = [
  {
    name: 'only the folders of the hosted identity service know its vendor',
    of: /^npm:@clerk\//,
    within: /^apps\/(server\/src\/platform|console\/src\/features)\/identity\/hosted\//,
  },
];

/** Entry points run; importing one would run it too. */
const ENTRY_POINT = /^apps\/[^/]+\/src\/bin\//;
/** Tests and benchmarks may import anything but entry points: the arrows are about shipped code. */
const TEST = /\.test\.tsx?$|^(tests|bench|apps\/console\/src\/testing)\//;

/** The rule that an import breaks, or null. */
export function findOffence({ from, to, isTypeOnly }: Import): string | null {
  if (ENTRY_POINT.test(to)) return 'nothing imports an entry point';
  if (TEST.test(from)) return null;
  if (TEST.test(to)) return 'what ships imports no test';
  const vendor = VENDORS.find(({ of, within }) => of.test(to) && !within.test(from));
  if (vendor) return vendor.name;
  for (const rule of RULES) {
    const match = rule.from.exec(from);
    if (!match) continue;
    const allowed = [...rule.mayImport, ...(isTypeOnly ? (rule.mayImportTypes ?? []) : [])];
    return allowed.some((pattern) => covers(pattern.replace('$1', match[1] ?? ''), to)) ? null : rule.name;
  }
  return null;
}

/**
 * A pattern names a file or package, or a folder (or `npm:`) with its contents; `*` matches one path segment.
 */
function covers(pattern: string, path: string): boolean {
  const source = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+');
  return new RegExp(/[/:]$/.test(pattern) ? `^${source}` : `^${source}($|/)`).test(path);
}
