import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import { STREAMED } from './handlers.ts';

/**
 * Sends rows as a CSV download. Text that a spreadsheet would run as a formula is made harmless.
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
    escape_formulas: true,
    record_delimiter: 'windows',
  });
  pipeline(rows, csv, () => {});
  reply.send(csv);
  return STREAMED;
}
