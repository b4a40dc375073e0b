import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

/** The head of an audit chain at one time, noted outside the database. */
export const notedHead = z.object({
  at: z.iso.datetime(),
  /** Hash of the chain's first position; distinguishes it from the chain of another database. */
  chain: z.string().regex(/^[0-9a-f]{64}$/),
  sequence: z.string().regex(/^\d+$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type NotedHead = z.infer<typeof notedHead>;

/** Several times the length of a line, which is about 230 bytes. */
const TAIL_BYTES = 4_096;

const isWhole = (line: string) => line.startsWith('{') && line.endsWith('}');

/**
 * Appends a head to the file, as one line, and waits until it is on the disk. A part that a full disk left is passed over
 * by the next attempt and by `readLastHead`; it is not cut off, because another process may have written after it.
 */
export async function recordHead(path: string, head: NotedHead): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a+', 0o600);
  try {
    // The machine stopped in the middle of a line. The unfinished line stays separate from the next one.
    const tail = await readTail(file, 1);
    const separator = tail === '' || tail === '\n' ? '' : '\n';
    await file.appendFile(`${separator}${JSON.stringify(head)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * The head that was noted last, or null when there is no file.
 * @throws when the file does not end with one: it was damaged, or is not ours
 */
export async function readLastHead(path: string): Promise<NotedHead | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return null;
  try {
    const tail = await readTail(file, TAIL_BYTES);
    // Text after the last line end was never finished. The same holds for a line that `recordHead` terminated later.
    const whole = tail.split('\n').slice(0, -1).filter(isWhole);
    const last = whole.at(-1);
    if (last !== undefined) return notedHead.parse(JSON.parse(last));
    if (tail === '') return null;
    throw new Error('it contains no valid line');
  } catch (error) {
    throw new Error(`${path} does not end with the head of an audit chain`, { cause: error });
  } finally {
    await file.close();
  }
}

async function readTail(file: FileHandle, bytes: number): Promise<string> {
  const { size } = await file.stat();
  const length = Math.min(size, bytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString('utf8');
}
