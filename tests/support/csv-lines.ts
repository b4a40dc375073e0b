import { createHash } from 'node:crypto';

const END = /^"End of file: ([\d,]+) rows?, SHA-256 of the bytes before this line ([0-9a-f]{64})"\r\n$/;

/** The lines of an exported file, its heading first. @throws where its last line does not prove that it is whole */
export function linesOfCsv(file: string | Buffer): string[] {
  const bytes = Buffer.from(file as string);
  const end = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
  const [, , hash] = END.exec(bytes.subarray(end).toString()) ?? [];
  const before = bytes.subarray(0, end);
  if (hash !== createHash('sha256').update(before).digest('hex')) throw new Error('this file is not whole');
  return before
    .toString()
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
}

/** How many rows its last line says that it has. */
export const countedRows = (file: Buffer): number =>
  Number(
    END.exec(file.subarray(file.lastIndexOf('\n', file.length - 2) + 1).toString())?.[1]?.replaceAll(',', ''),
  );
