import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { GatewayError } from '../gateway.ts';

/** The largest answers, lists of all contracts, have 1 to 2 MB. */
const MAX_BYTES = 8 * 1024 * 1024;

const DECOMPRESS: Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
};

/** Reads a body up to 8 MB, before and after unpacking; a larger or broken one is a bad response. */
export async function readBody(body: AsyncIterable<Uint8Array>, encoding: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new GatewayError('bad_response');
    chunks.push(chunk);
  }
  const packed = Buffer.concat(chunks);
  const decompress = DECOMPRESS[encoding];
  if (!decompress || packed.length === 0) return packed.toString('utf8');
  try {
    return (await decompress(packed, { maxOutputLength: MAX_BYTES })).toString('utf8');
  } catch {
    throw new GatewayError('bad_response');
  }
}
