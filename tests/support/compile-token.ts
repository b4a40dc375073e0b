import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const SOURCE = 'demo-usdt.sol';

/** The compiler ships no types. */
interface Compiler {
  compile(input: string): string;
}
interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
}

/** Compiles the token of the local chain and returns its deployment code, as hexadecimal text. */
export function compileToken(): `0x${string}` {
  const solc: Compiler = createRequire(import.meta.url)('solc');
  const input = {
    language: 'Solidity',
    sources: {
      [SOURCE]: {
        content: readFileSync(new URL(`../../apps/simulators/src/chain/${SOURCE}`, import.meta.url), 'utf8'),
      },
    },
    settings: {
      // No hash of the source at its end: the compiler's location does not matter.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)));
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (failures.length > 0) throw new Error(failures.map((failure) => failure.formattedMessage).join('\n'));
  const [contract] = Object.values(output.contracts?.[SOURCE] ?? {});
  if (!contract) throw new Error(`${SOURCE} holds no contract`);
  return `0x${contract.evm.bytecode.object}`;
}
