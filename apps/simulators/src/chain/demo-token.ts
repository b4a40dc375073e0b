import { readFileSync } from 'node:fs';
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  getContractAddress,
  type Hash,
  type Hex,
  http,
  parseAbi,
  parseEther,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';

const ABI = parseAbi([
  'constructor(address[] holders, uint256[] values)',
  'function mint(address to, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
]);

/**
 * The deployment code of the token: demo-usdt.sol, compiled by `npm run generate`. A start need not load a compiler.
 */
const BYTECODE = readFileSync(new URL('demo-usdt.bytecode.txt', import.meta.url), 'utf8').trim() as Hex;

/** A first balance, in base units. */
export interface Holding {
  address: Address;
  units: bigint;
}

export interface DemoToken {
  address: Address;
  /** Mints tokens to an address. Units are base units, 18 decimals. */
  mint(to: Address, units: bigint): Promise<Hash>;
  /** Moves tokens as their owner, who receives the coin for the fee. */
  transfer(from: LocalAccount, to: Address, units: bigint): Promise<Hash>;
  balanceOf(owner: Address): Promise<bigint>;
}

/**
 * The USDT-like token of a local chain: the first caller deploys it, later ones find it. It is the first contract of
 * its owner, so its address follows from the owner's.
 * @param url of a chain that `startChain` runs
 * @param holdings balances of a newly deployed token; an existing one is left unchanged
 */
export async function openDemoToken(
  url: string,
  owner: LocalAccount,
  holdings: readonly Holding[] = [],
): Promise<DemoToken> {
  const transport = http(url);
  const reader = createPublicClient({ chain: bsc, transport, pollingInterval: 100 });
  const chain = createTestClient({ chain: bsc, transport, mode: 'anvil' });
  const wallet = createWalletClient({ chain: bsc, transport });
  const address = getContractAddress({ from: owner.address, nonce: 0n });
  const done = async (hash: Hash) => {
    const { status } = await reader.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`transaction ${hash} was reverted`);
    return hash;
  };
  const giveCoin = (to: Address) => chain.setBalance({ address: to, value: parseEther('1') });
  const call = async (from: LocalAccount, functionName: 'mint' | 'transfer', to: Address, units: bigint) => {
    await giveCoin(from.address);
    return done(
      await wallet.writeContract({ account: from, address, abi: ABI, functionName, args: [to, units] }),
    );
  };

  if (!(await reader.getCode({ address }))) {
    await giveCoin(owner.address);
    const args = [holdings.map((each) => each.address), holdings.map(({ units }) => units)] as const;
    await done(await wallet.deployContract({ account: owner, abi: ABI, bytecode: BYTECODE, args }));
  }
  return {
    address,
    mint: (to, units) => call(owner, 'mint', to, units),
    transfer: (from, to, units) => call(from, 'transfer', to, units),
    balanceOf: (holder) =>
      reader.readContract({ address, abi: ABI, functionName: 'balanceOf', args: [holder] }),
  };
}
