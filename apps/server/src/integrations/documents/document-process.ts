import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { DocumentAnswer, DocumentOrder, DocumentSetting } from './document-orders.ts';

// The other end of createDocuments. Nothing is logged here: a sentence of the compiler may quote a document.
const { folder, memoryMb }: DocumentSetting = JSON.parse(process.argv[2] ?? '');

/** How many documents later what the compiler remembers is forgotten unless it was used. */
const REMEMBERED_DOCUMENTS = 10;
const LONGEST_PROBLEM = 300;

/** Latin, Greek, Cyrillic and Devanagari; Arabic; one pitch for addresses; and what people put into their names. */
const FONTS = [
  import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
];

// A thread of its own, which also runs while the compiler does.
new Worker(new URL('./document-guard.ts', import.meta.url), {
  workerData: { memoryMb, parent: process.ppid },
});
dieFirst();

const compiler = NodeCompiler.create({
  workspace: folder,
  fontArgs: [{ fontBlobs: FONTS.map((font) => readFileSync(fileURLToPath(font))) }],
});

process.on('disconnect', () => process.exit());
process.on('message', (order: DocumentOrder) => process.send?.(answer(order)));

function answer({ template, json }: DocumentOrder): DocumentAnswer {
  try {
    return write(template, json);
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, LONGEST_PROBLEM) : 'unknown' };
  } finally {
    compiler.evictCache(REMEMBERED_DOCUMENTS);
  }
}

function write(template: string, json: string): DocumentAnswer {
  const compiled = compiler.compile({
    mainFilePath: join(folder, `${template}.typ`),
    inputs: { data: json },
  });
  if (compiled.result) return { pdf: compiler.pdf(compiled.result) };
  const [first] = compiled.takeError()?.shortDiagnostics ?? [];
  const { message = 'unknown' } = (first ?? {}) as { message?: string };
  return { problem: message.slice(0, LONGEST_PROBLEM) };
}

/** When memory runs out, Linux ends this process and not the API. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system.
  }
}
