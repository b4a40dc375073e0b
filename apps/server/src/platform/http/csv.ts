import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { guardFormula } from '@copydesk/domain/text';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import { STREAMED } from './handlers.ts';

/**
 * Sends rows as a CSV download. Text that a spreadsheet would run as a formula is quoted and gets an apostrophe, which
 * makes it text; numbers stay numbers.
 * @param columns heading by the name of the row's field, in order
 */
export function sendCsv(
  reply: FastifyReply,
  rows: Readable,
  { filename, columns }: { filename: string; columns: Record<string, string> },
): typeof STREAMED {
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${filename}"`);
  const csv = stringify({
    header: true,
    columns,
    bom: true,
    record_delimiter: 'windows',
    // Each ends a cell or a line for some readers.
    quoted_match: /[;|\t\r\n]/,
    cast: { string: harmless },
  });
  pipeline(rows, csv, () => {});
  reply.send(csv);
  return STREAMED;
}

function harmless(text: string): string | { value: string; quoted: true } {
  const value = guardFormula(text);
  return value === text ? text : { value, quoted: true };
}
