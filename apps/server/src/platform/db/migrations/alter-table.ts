import type { Found } from './effect.ts';
import { type AlterTable, type ColumnDef, type Constraint, nameOf } from './nodes.ts';

type Command = NonNullable<NonNullable<AlterTable['cmds']>[number]['AlterTableCmd']>;

/** What a command may block, the most first. */
const BLOCKING = ['reads and writes', 'writes', 'nothing'] as const;

/** The effect of ALTER TABLE: that of its heaviest command. */
export function effectOfAlterTable({ relation, cmds = [] }: AlterTable): Found {
  const commands = cmds.flatMap(({ AlterTableCmd }) => AlterTableCmd ?? []);
  const effects = commands.map(effectOfCommand);
  const referenced = commands.flatMap(({ def }) => tablesReferencedBy(def));
  const tables = [...(relation ? [nameOf(relation)] : []), ...referenced];
  const has = (work: Found['work']) => effects.some((effect) => effect.work === work);
  return {
    tables: [...new Set(tables)],
    blocks: BLOCKING.find((most) => effects.some(({ blocks }) => blocks === most)) ?? 'nothing',
    work: has('rewrite') ? 'rewrite' : has('scan') ? 'scan' : 'none',
    breaks: effects.find(({ breaks }) => breaks !== null)?.breaks ?? null,
  };
}

function effectOfCommand({ subtype, def }: Command): Pick<Found, 'blocks' | 'work' | 'breaks'> {
  const quick = { blocks: 'reads and writes', work: 'none', breaks: null } as const;
  switch (subtype) {
    case 'AT_AddColumn':
      return { ...quick, ...(def?.ColumnDef && addedColumn(def.ColumnDef)) };
    case 'AT_AddConstraint':
      return { ...quick, ...(def?.Constraint && addedConstraint(def.Constraint)) };
    case 'AT_ValidateConstraint':
      // SHARE UPDATE EXCLUSIVE: rows are written meanwhile. Alone in its file, since earlier locks stay.
      return { blocks: 'nothing', work: 'scan', breaks: null };
    case 'AT_SetNotNull':
      return { ...quick, work: 'scan', breaks: 'the version before may write no value' };
    case 'AT_AlterColumnType':
      return { ...quick, work: 'rewrite', breaks: 'the version before may expect another type' };
    case 'AT_DropColumn':
      return { ...quick, breaks: 'it drops what the version before may use' };
    case 'AT_ColumnDefault':
      // Without a definition it drops the default.
      return { ...quick, breaks: def ? null : 'the version before may rely on the default' };
    default:
      return quick;
  }
}

function addedColumn(column: ColumnDef): Partial<Found> {
  const kinds = (column.constraints ?? []).map(({ Constraint: constraint }) => constraint?.contype);
  const isComputed = kinds.includes('CONSTR_GENERATED') || kinds.includes('CONSTR_IDENTITY');
  return { work: isComputed ? 'rewrite' : 'none', breaks: columnProblem(column) };
}

/** Why the version before, which does not know a new column, could not insert rows any more. */
function columnProblem({ colname, constraints = [] }: ColumnDef): string | null {
  const kinds = constraints.map(({ Constraint: constraint }) => constraint?.contype);
  const hasValue = ['CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY'].some((kind) =>
    kinds.includes(kind),
  );
  return kinds.includes('CONSTR_NOTNULL') && !hasValue
    ? `the version before writes no ${colname}, which has no default`
    : null;
}

/** A check that is not valid yet is validated by a statement of its own, which lets rows be written meanwhile. */
function addedConstraint({ contype, skip_validation: isLater, indexname }: Constraint): Partial<Found> {
  const scans = isLater === true || indexname !== undefined ? 'none' : 'scan';
  return { work: scans, ...(contype === 'CONSTR_FOREIGN' && { blocks: 'writes' }) };
}

function tablesReferencedBy(def: Command['def']): string[] {
  const constraints = [
    def?.Constraint,
    ...(def?.ColumnDef?.constraints ?? []).map((each) => each.Constraint),
  ];
  return constraints.flatMap((constraint) => (constraint?.pktable ? [nameOf(constraint.pktable)] : []));
}
