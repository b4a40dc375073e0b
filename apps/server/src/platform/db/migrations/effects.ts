import { loadModule, parse } from 'libpg-query';
import { effectOfAlterTable } from './alter-table.ts';
import type { Effect, Found } from './effect.ts';
import { type Node, nameOf, type RangeVar } from './nodes.ts';

const NOTHING: Found = { tables: [], blocks: 'nothing', work: 'none', breaks: null };
/** PostgreSQL locks (documentation, 13.3): writers wait for these two alike. */
const WRITES_WAIT = { blocks: 'writes', work: 'none', breaks: null } as const;
const ALL_WAIT = { blocks: 'reads and writes', work: 'none', breaks: null } as const;

/**
 * Reads a migration with PostgreSQL's own parser.
 * @returns the effects on tables that it does not create itself
 */
export async function effectsOf(migration: string): Promise<Effect[]> {
  await loadModule();
  const { stmts = [] } = await parse(migration);
  const bytes = Buffer.from(migration);
  const created = new Set<string>();
  const effects: Effect[] = [];
  let end = 0;
  for (const { stmt, stmt_location: from = 0, stmt_len: length } of stmts) {
    // The parser leaves out the comments before a statement.
    const before = bytes.subarray(end, from).toString();
    end = length === undefined ? bytes.length : from + length;
    const text = bytes.subarray(from, end).toString();
    const node = stmt as Node;
    if (node.CreateStmt?.relation) created.add(nameOf(node.CreateStmt.relation));
    const found = effectOf(node);
    const tables = found.tables.filter((table) => !created.has(table));
    // Triggers and policies of a new table affect no running version. A statement without any table may still
    // break one.
    if (found.tables.length > 0 && tables.length === 0) continue;
    if (tables.length === 0 && found.breaks === null && found.work !== 'unknown') continue;
    effects.push({ ...found, tables, statement: firstLine(text), excuse: excuseIn(before + text) });
  }
  return effects;
}

function effectOf(node: Node): Found {
  const on = (relation: RangeVar | undefined) => (relation ? [nameOf(relation)] : []);
  if (node.IndexStmt) {
    const { relation, concurrent } = node.IndexStmt;
    return concurrent
      ? { ...NOTHING, tables: on(relation), work: 'scan' }
      : { ...WRITES_WAIT, tables: on(relation), work: 'scan' };
  }
  if (node.AlterTableStmt) return effectOfAlterTable(node.AlterTableStmt);
  if (node.CreateStmt) {
    const referenced = (node.CreateStmt.tableElts ?? []).flatMap(({ ColumnDef, Constraint }) => [
      ...(ColumnDef?.constraints ?? []).flatMap(({ Constraint: inner }) => on(inner?.pktable)),
      ...on(Constraint?.pktable),
    ]);
    return referenced.length > 0 ? { ...WRITES_WAIT, tables: [...new Set(referenced)] } : NOTHING;
  }
  if (node.CreateTrigStmt) return { ...WRITES_WAIT, tables: on(node.CreateTrigStmt.relation) };
  if (node.CreatePolicyStmt) return { ...ALL_WAIT, tables: on(node.CreatePolicyStmt.table) };
  if (node.AlterPolicyStmt) return { ...ALL_WAIT, tables: on(node.AlterPolicyStmt.table) };
  if (node.UpdateStmt) return { ...NOTHING, tables: on(node.UpdateStmt.relation), work: 'rows' };
  if (node.DeleteStmt) return { ...NOTHING, tables: on(node.DeleteStmt.relation), work: 'rows' };
  if (node.InsertStmt) return { ...NOTHING, tables: on(node.InsertStmt.relation), work: 'rows' };
  if (node.RenameStmt)
    return {
      ...ALL_WAIT,
      tables: on(node.RenameStmt.relation),
      breaks: 'it renames what the version before uses',
    };
  if (node.DropStmt) return { ...ALL_WAIT, tables: [], breaks: droppedProblem(node.DropStmt.removeType) };
  if (node.GrantStmt) {
    const { is_grant: isGrant, objects = [] } = node.GrantStmt;
    if (isGrant) return NOTHING;
    const tables = objects.flatMap(({ RangeVar: relation }) => on(relation));
    return { ...NOTHING, tables, breaks: 'it revokes what the version before may need' };
  }
  // A block of code can do anything.
  if (node.DoStmt) return { ...NOTHING, work: 'unknown' };
  return NOTHING;
}

/** Indexes, triggers, policies and constraints may go: the version before does not name them. */
function droppedProblem(kind: string | undefined): string | null {
  const unnamed = ['OBJECT_INDEX', 'OBJECT_TRIGGER', 'OBJECT_POLICY'];
  return unnamed.includes(kind ?? '') ? null : 'it drops what the version before may use';
}

const withoutComments = (text: string) => text.replace(/^\s*--.*$/gm, '').trim();
const firstLine = (text: string) => withoutComments(text).split('\n')[0]?.trim() ?? '';
const excuseIn = (text: string) => /^-- compatible: (.+)$/m.exec(text)?.[1] ?? null;
