import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

interface Build {
  getModuleInfo(id: string): { isEntry: boolean; importers: string[] } | null;
}

/** The file of what is needed before anything shows; libraries apart, as they change seldom. Null: of a later screen. */
function firstFile(id: string, build: Build): string | null {
  if (!isLoadedFirst(id, build)) return null;
  return id.includes('node_modules') ? 'libraries' : 'shell';
}

/** Whether the entry imports it, however far away, and waits for it. */
function isLoadedFirst(id: string, build: Build, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const module = build.getModuleInfo(id);
  if (!module) return false;
  return module.isEntry || module.importers.some((importer) => isLoadedFirst(importer, build, seen));
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined assets would be data: URLs, which the content security policy refuses for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: {
      output: {
        // Otherwise each set of screens that share something has a file of its own, most of them of a few hundred bytes:
        // forty questions before anything shows.
        codeSplitting: {
          groups: [
            { name: firstFile, priority: 1 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:3000' } },
});
