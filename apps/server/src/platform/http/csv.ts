import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import { STREAMED } from './handlers.ts';

/** A decimal as we write it: a loss begins with a minus and is still a number. */
const NUMBER = /^-?\d+(\.\d+)?$/;
/** The signs by which spreadsheets recognise a formula, in full-width forms too; some skip white space before it. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

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
    // Each alone ends a line for some readers.
    quoted_match: /[\r\n]/,
    cast: { string: harmless },
  });
  pipeline(rows, csv, () => {});
  reply.send(csv);
  return STREAMED;
}

function harmless(text: string): string | { value: string; quoted: true } {
  return FORMULA.test(text) && !NUMBER.test(text) ? { value: `'${text}`, quoted: true } : text;
}
