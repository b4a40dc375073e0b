import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import { guardFormula } from '@copydesk/domain/text';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import { STREAMED } from './handlers.ts';

/** Heading by the name of the row's field, in order. */
export type CsvColumns = Record<string, string>;

/**
 * Rows as the bytes of a CSV file. Text that a spreadsheet would run as a formula is quoted and gets an
 * apostrophe, which makes it text; numbers stay numbers. The last line shows that the file is complete: a
 * stream that breaks has none.
 * @returns `rows` gives the number of rows so far
 */
export function csvFile(rows: Readable, columns: CsvColumns): { bytes: Readable; rows: () => number } {
  let count = 0;
  const counted = new Transform({
    objectMode: true,
    transform(row, _encoding, done) {
      count += 1;
      done(null, row);
    },
  });
  const csv = stringify({
    header: true,
    columns,
    bom: true,
    record_delimiter: 'windows',
    // Each ends a cell or a line for some readers.
    quoted_match: /[;|\t\r\n]/,
    cast: { string: harmless },
  });
  const hash = createHash('sha256');
  const bytes = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      done(null, endOfFile(count, hash.digest('hex')));
    },
  });
  pipeline(rows, counted, csv, bytes, () => {});
  return { bytes, rows: () => count };
}

/** Sends rows as a CSV download. */
export function sendCsv(
  reply: FastifyReply,
  rows: Readable,
  { filename, columns }: { filename: string; columns: CsvColumns },
): typeof STREAMED {
  nameFile(reply, filename);
  reply.send(csvFile(rows, columns).bytes);
  return STREAMED;
}

/** Makes the browser save the answer as a file. */
export function nameFile(reply: FastifyReply, filename: string): void {
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${filename}"`);
}

/** A record of one cell, quoted because of its commas. */
function endOfFile(rows: number, hash: string): string {
  const counted = `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
  return `"End of file: ${counted}, SHA-256 of the bytes before this line ${hash}"\r\n`;
}

function harmless(text: string): string | { value: string; quoted: true } {
  const value = guardFormula(text);
  return value === text ? text : { value, quoted: true };
}
