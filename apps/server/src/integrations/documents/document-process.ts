import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { DocumentAnswer, DocumentOrder, DocumentSetting } from './document-orders.ts';

// The other end of createDocuments. Nothing is logged here: a sentence of the compiler may quote a document.
const { folder, memoryMb }: DocumentSetting = JSON.parse(process.argv[2] ?? '');

/** What the compiler remembers of a document would only help to write the same one again. */
const REMEMBERED_DOCUMENTS = 0;
const LONGEST_PROBLEM = 300;

/**
 * Latin, Greek, Cyrillic and Devanagari; Arabic, whose letters are not drawn from parts, so that they can be copied and
 * searched; one pitch for addresses; and what people put into their names.
 */
const FONTS = [
  import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  import.meta.resolve('@expo-google-fonts/ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/ibm-plex-sans-arabic/700Bold/IBMPlexSansArabic_700Bold.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
];

// A thread of its own, which also runs while the compiler does.
new Worker(new URL('./document-guard.ts', import.meta.url), {
  workerData: { memoryMb, parent: process.ppid },
});
dieFirst();

const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler').catch(leave);
const compiler = NodeCompiler.create({
  workspace: folder,
  fontArgs: [{ fontBlobs: FONTS.map((font) => readFileSync(fileURLToPath(font))) }],
});

process.on('disconnect', () => process.exit());
process.on('message', (order: DocumentOrder) => process.send?.(answer(order)));

function answer({ template, json }: DocumentOrder): DocumentAnswer {
  try {
    // At once, never by way of a compiled document: it would keep its memory until V8 happens to look. Tags for readers
    // of screens would be nine tenths of a long invoice.
    const order = { mainFilePath: join(folder, `${template}.typ`), inputs: { data: json } };
    return { pdf: compiler.pdf(order, { pdfTags: false }) };
  } catch (error) {
    // The compiler says it in the code of its errors, and leaves their message empty.
    const { code, message } = error as { code?: unknown; message?: unknown };
    return { problem: String(code || message).slice(0, LONGEST_PROBLEM) };
  } finally {
    compiler.evictCache(REMEMBERED_DOCUMENTS);
  }
}

/** An installation without the compiler for this machine says so with each document. */
function leave(error: Error): never {
  process.send?.({ problem: error.message } satisfies DocumentAnswer);
  process.exit(1);
}

/** When memory runs out, Linux ends this process and not the API. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system.
  }
}
