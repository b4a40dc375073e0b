import { BlockNotFoundError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { expect, test } from 'vitest';
import { isRangeRefusal, isUnknownBlock, sentenceOf } from './chain-servers.ts';

const url = 'http://127.0.0.1';
const rpc = (code: number, message: string) =>
  new RpcRequestError({ body: {}, url, error: { code, message } });

test.each([
  // The documented wordings of Alchemy, Infura, QuickNode, Ankr, public BSC nodes, and geth with a limit.
  rpc(-32602, 'range 301 exceeds limit of 100'),
  rpc(-32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'),
  rpc(-32600, 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.'),
  rpc(-32005, 'query returned more than 10000 results. Try with this block range [0x1, 0x2].'),
  rpc(-32614, 'eth_getLogs is limited to a 10,000 range'),
  rpc(-32600, 'block range is too wide'),
  rpc(-32701, 'exceed maximum block range: 50000'),
  rpc(-32000, 'exceed maximum block range: 5000'),
  rpc(-32002, 'query timeout exceeded'),
  new HttpRequestError({ url, status: 413, details: 'Payload Too Large' }),
  new HttpRequestError({ url, status: 400, details: '"block range too large"' }),
  new TimeoutError({ body: {}, url }),
])('refuses the width of a range: $details', (error) => {
  expect(isRangeRefusal(error)).toBe(true);
  expect(isUnknownBlock(error)).toBe(false);
});

test.each([
  rpc(-32005, 'rate limit exceeded'),
  rpc(-32007, '15/second request limit reached: 15 requests per second'),
  rpc(-32000, 'Too Many Requests'),
  rpc(-32000, 'unknown block'),
  new HttpRequestError({ url, status: 429, details: 'Too Many Requests' }),
  new HttpRequestError({ url, status: 503 }),
  new HttpRequestError({ url, cause: new Error('fetch failed') }),
  new Error('anything else'),
])('says nothing about the width: $message', (error) => {
  expect(isRangeRefusal(error)).toBe(false);
});

test.each([
  rpc(-32000, 'unknown block'),
  rpc(-32000, 'header not found'),
  rpc(-32000, 'header for hash not found'),
  rpc(-32001, 'Resource not found'),
  rpc(-32000, 'block not found with hash 0x12'),
  rpc(-32602, 'BlockOutOfRangeError: block height is 8 but requested was 4095'),
  new BlockNotFoundError({ blockNumber: 4n }),
])('the server does not know the block: $details', (error) => {
  expect(isUnknownBlock(error)).toBe(true);
});

test('the sentence is that of the server', () => {
  expect(sentenceOf(rpc(-32602, 'range 301 exceeds limit of 100'))).toBe('range 301 exceeds limit of 100');
});
