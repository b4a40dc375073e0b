import { cpus, totalmem } from 'node:os';

export interface Report {
  row(what: string, measured: string, wanted?: string): void;
  print(): string;
}

/** Collects figures and prints them as a table, with a description of the machine. */
export function createReport(): Report {
  const rows: string[] = [];
  return {
    row(what, measured, wanted = '') {
      console.log(`${what}: ${measured}${wanted ? `  (${wanted})` : ''}`);
      rows.push(`| ${what} | ${measured} | ${wanted} |`);
    },
    print() {
      const cpu = cpus()[0]?.model.trim() ?? 'unknown processor';
      const memory = Math.round(totalmem() / 2 ** 30);
      return [
        `Machine: ${cpus().length} cores (${cpu}), ${memory} GB, Node ${process.version}, load generator on the same machine.`,
        '',
        '| What | Measured | Wanted |',
        '| --- | --- | --- |',
        ...rows,
        '',
      ].join('\n');
    },
  };
}
