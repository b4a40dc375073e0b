import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PayingChain } from './paying-chain.ts';

/** The creation code, which viem has for calls without the contract, and does not export. */
function bytecode(): `0x${string}` {
  const require = createRequire(import.meta.url);
  const contracts = join(require.resolve('viem'), '..', 'constants', 'contracts.js');
  return (require(contracts) as { multicall3Bytecode: `0x${string}` }).multicall3Bytecode;
}

/** Puts Multicall3 where nearly every chain has it. */
export async function addMulticall({ node }: Pick<PayingChain, 'node'>): Promise<void> {
  const { data } = await node.call({ data: bytecode() });
  const address = '0xcA11bde05977b3631167028862bE2a173976CA11';
  await node.setCode({ address, bytecode: data as `0x${string}` });
  await node.mine({ blocks: 1 });
}
