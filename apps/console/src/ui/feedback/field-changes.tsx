interface FieldChangesProps {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** The names of fields as displayed. */
  names: Readonly<Record<string, string>>;
  /** A field's value as displayed. */
  textOf(name: string, value: unknown): string;
}

/** The fields that one change touched: old and new value of each. */
export function FieldChanges({ before, after, names, textOf }: FieldChangesProps) {
  return (
    <ul>
      {Object.entries(after).map(([name, value]) => (
        <li key={name} className="break-words">
          <span className="font-medium">{names[name] ?? name}</span>{' '}
          <span className="text-muted tabular-nums">
            {textOf(name, before[name] ?? null)} → <span className="text-ink">{textOf(name, value)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
