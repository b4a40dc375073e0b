import type { PublicClient } from 'viem';
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  multicall3Abi,
} from 'viem';
import type { Block } from './token-logs.ts';

/** Multicall3 has this address on nearly every chain (github.com/mds1/multicall3), BNB Smart Chain included. */
const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** Balances of one call: about 4 million gas, of the 50 million that geth allows. */
const AT_ONCE = 500;

/**
 * Token balances as of a block, base units, in the order of the addresses. The block is given by its hash (EIP-1898): a
 * server that does not have it, or no longer has its state, answers with an error instead of an older balance. Where the
 * chain has no Multicall3, each address is a request.
 */
export async function readTokenBalances(
  server: PublicClient,
  token: Address,
  addresses: readonly string[],
  { hash: blockHash }: Pick<Block, 'hash'>,
): Promise<bigint[]> {
  const balances: bigint[] = [];
  for (let at = 0; at < addresses.length; at += AT_ONCE) {
    const some = addresses.slice(at, at + AT_ONCE).map((address) => getAddress(address));
    const together = some.length > 1 ? await readTogether(server, token, some, blockHash) : null;
    balances.push(
      ...(together ??
        (await Promise.all(
          some.map((address) =>
            server.readContract({
              address: token,
              abi: erc20Abi,
              functionName: 'balanceOf',
              args: [address],
              blockHash,
            }),
          ),
        ))),
    );
  }
  return balances;
}

/** Null: the chain has no Multicall3 at that block. */
async function readTogether(
  server: PublicClient,
  target: Address,
  addresses: readonly Address[],
  blockHash: Block['hash'],
): Promise<bigint[] | null> {
  const balanceOf = { abi: erc20Abi, functionName: 'balanceOf' } as const;
  const calls = addresses.map((address) => ({
    target,
    allowFailure: false,
    callData: encodeFunctionData({ ...balanceOf, args: [address] }),
  }));
  const aggregate = { abi: multicall3Abi, functionName: 'aggregate3' } as const;
  const { data } = await server.call({
    to: MULTICALL3,
    data: encodeFunctionData({ ...aggregate, args: [calls] }),
    blockHash,
  });
  if (data === undefined || data === '0x') return null;
  return decodeFunctionResult({ ...aggregate, data }).map(({ returnData }) =>
    decodeFunctionResult({ ...balanceOf, data: returnData }),
  );
}
