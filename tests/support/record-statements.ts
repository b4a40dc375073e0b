import type { Scope } from '@copydesk/domain/access';
import type pg from 'pg';
import { bindKysely } from '../../apps/server/src/platform/db/bound-kysely.ts';
import type { Tx } from '../../apps/server/src/platform/db/database.ts';

/** The statements that a view sends within a scope, in order. No database answers them: every result is empty. */
export async function recordStatements(scope: Scope, view: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const client = {
    query: async ({ text }: { text: string }) => {
      texts.push(text);
      return { rows: [], rowCount: 0 };
    },
  };
  await view({
    scope,
    sql: bindKysely(client as unknown as pg.ClientBase),
    filtersScope: true,
    isCurrent: true as const,
  });
  return texts;
}

/** A statement with one indentation a parenthesis, and without the blank lines that assembling it left. */
export function layOut(statement: string): string {
  let depth = 0;
  return statement
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [opened, closed] = [line.split('(').length - 1, line.split(')').length - 1];
      const leading = /^\)*/.exec(line)?.[0].length ?? 0;
      const laidOut = `${'  '.repeat(Math.max(0, depth - leading))}${line}`;
      depth += opened - closed;
      return laidOut;
    })
    .join('\n');
}
