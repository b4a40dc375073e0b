import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The notices that licences ask for, beside the code that they are about. */
const THIRD_PARTY = 'third-party.md';

/** Packages that reach the build through the style sheet: Vite lists those of scripts only. */
const PACKAGES = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono', 'tailwindcss'];

const require = createRequire(import.meta.url);

interface Build {
  getModuleInfo(
    id: string,
  ): { isEntry: boolean; importers: string[]; dynamicImporters: string[]; importedIds: string[] } | null;
}

/**
 * The file of a module that the first screen needs; libraries have their own, since they change rarely. Null for modules
 * of later screens.
 */
function firstFile(id: string, build: Build): string | null {
  if (!isLoadedFirst(id, build)) return null;
  return id.includes('node_modules') ? 'libraries' : 'shell';
}

/** The index of a room of domain. What stands beside a rule in it is not needed because the rule is. */
const ROOM = /packages[\\/]domain[\\/]src[\\/][^\\/]+[\\/]index\.ts$/;

/** Whether the entry imports a module statically, directly or through others. */
function isLoadedFirst(id: string, build: Build, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const module = build.getModuleInfo(id);
  if (!module) return false;
  return (
    module.isEntry ||
    module.importers.some((importer) => !ROOM.test(importer) && isLoadedFirst(importer, build, seen))
  );
}

/** The library of menus and dialogs, with what it stands on. */
const WIDGETS = /node_modules[\\/](@?radix-ui|@floating-ui|react-remove-scroll|aria-hidden)/;

/**
 * Exact arithmetic, which the first screen has no use for: it would be loaded with what stands beside it in the index of
 * its room.
 */
const DECIMALS =
  /node_modules[\\/]decimal\.js|domain[\\/]src[\\/]money[\\/](exact-decimal|decimals|shown-parts|token-units|wallet-address)\.ts/;

const FORM_LIBRARY = /node_modules[\\/]react-hook-form/;
/** Our modules and icons: many, and most of them small. */
const SMALL = /apps[\\/]console[\\/]src|packages[\\/](domain|contract)|lucide-react/;
/** From how many screens and dialogs that need a module on it belongs to the next file. */
const OFTEN = [4, 10];

/**
 * The file of a module that several screens or dialogs need: with others that are needed about as often. What a module
 * imports is needed at least as often as the module itself, so files never import each other in a circle, whatever is
 * added. What stands on the library of forms, which few screens need, is in files beside them.
 */
function sharedFile(id: string, build: Build): string | null {
  const isOfForms = standsOnForms(id, build);
  if (!isOfForms && !SMALL.test(id)) return null;
  const { size } = neededBy(id, build);
  if (size < 2) return null;
  return `${isOfForms ? 'forms' : 'shared'}-${OFTEN.filter((least) => size >= least).length}`;
}

const needed = new Map<string, ReadonlySet<string>>();

/** What is loaded late and needs a module: screens, dialogs, menus. */
function neededBy(id: string, build: Build): ReadonlySet<string> {
  const known = needed.get(id);
  if (known) return known;
  const all = new Set<string>();
  needed.set(id, all);
  const module = build.getModuleInfo(id);
  if (module && (module.isEntry || module.dynamicImporters.length > 0)) all.add(id);
  for (const importer of module?.importers ?? []) {
    for (const each of neededBy(importer, build)) all.add(each);
  }
  return all;
}

const onForms = new Map<string, boolean>();

function standsOnForms(id: string, build: Build): boolean {
  const known = onForms.get(id);
  if (known !== undefined) return known;
  onForms.set(id, false);
  const imported = build.getModuleInfo(id)?.importedIds ?? [];
  const stands = FORM_LIBRARY.test(id) || imported.some((each) => standsOnForms(each, build));
  onForms.set(id, stands);
  return stands;
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), thirdPartyStyles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined assets would be data: URLs, which the content security policy refuses for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    license: { fileName: THIRD_PARTY },
    rolldownOptions: {
      output: {
        // Without groups each combination of screens gets a file for its shared modules, most of a few hundred bytes: eighty
        // requests before the first content.
        codeSplitting: {
          groups: [
            { name: 'decimals', test: DECIMALS, priority: 3, includeDependenciesRecursively: false },
            { name: firstFile, priority: 2 },
            // Menus and dialogs of most screens. Spread over shared files, they can end up in two that import each other,
            // and they call each other while they load.
            { name: 'widgets', test: WIDGETS, priority: 1 },
            { name: sharedFile, priority: 1, includeDependenciesRecursively: false },
            { name: 'shared', minShareCount: 2, entriesAware: true },
          ],
        },
      },
    },
  },
});

/** Adds the packages behind the style sheet to the notices. */
function thirdPartyStyles(): Plugin {
  return {
    name: 'third-party-styles',
    apply: 'build',
    writeBundle: {
      order: 'post',
      handler({ dir = '' }) {
        appendFileSync(join(dir, THIRD_PARTY), PACKAGES.map(describe).join(''));
      },
    },
  };
}

function describe(name: string): string {
  const manifest = require.resolve(`${name}/package.json`);
  const { version, license } = JSON.parse(readFileSync(manifest, 'utf8'));
  const text = readFileSync(join(dirname(manifest), 'LICENSE'), 'utf8').trim();
  return `\n## ${name} - ${version} (${license})\n\n${text}\n`;
}
