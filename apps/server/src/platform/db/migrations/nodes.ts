/** The parts of PostgreSQL's parse tree that migrations are judged by (libpg-query, @pgsql/types). */
export interface RangeVar {
  schemaname?: string;
  relname?: string;
}

export interface Constraint {
  contype?: string;
  skip_validation?: boolean;
  pktable?: RangeVar;
  indexname?: string;
}

export interface ColumnDef {
  colname?: string;
  constraints?: { Constraint?: Constraint }[];
}

export interface AlterTable {
  relation?: RangeVar;
  cmds?: {
    AlterTableCmd?: {
      subtype?: string;
      name?: string;
      def?: { ColumnDef?: ColumnDef; Constraint?: Constraint };
    };
  }[];
}

interface OnTable {
  relation?: RangeVar;
}

export interface Node {
  IndexStmt?: OnTable & { concurrent?: boolean; idxname?: string };
  AlterTableStmt?: AlterTable;
  CreateStmt?: OnTable & { tableElts?: { ColumnDef?: ColumnDef; Constraint?: Constraint }[] };
  CreateTrigStmt?: OnTable;
  CreatePolicyStmt?: { table?: RangeVar };
  AlterPolicyStmt?: { table?: RangeVar };
  UpdateStmt?: OnTable;
  DeleteStmt?: OnTable;
  InsertStmt?: OnTable;
  RenameStmt?: OnTable;
  DropStmt?: { removeType?: string };
  GrantStmt?: { is_grant?: boolean; objects?: { RangeVar?: RangeVar }[] };
  DoStmt?: object;
}

/** As in SQL: without the schema `public`. */
export const nameOf = ({ schemaname, relname = '' }: RangeVar): string =>
  schemaname === undefined || schemaname === 'public' ? relname : `${schemaname}.${relname}`;
