import type { FormField } from './form-context.ts';

/** Below a field that two people changed: what the other one wrote. The own text stays in the field. */
export function Theirs({ field, words }: { field: FormField | null; words(value: unknown): string }) {
  const { theirs } = field ?? {};
  if (!theirs) return null;
  return (
    <p role="status" className="mt-1 text-xs text-pretty text-caution">
      Changed meanwhile: {words(theirs.value)}.{' '}
      <button type="button" onClick={theirs.take} className="rounded font-medium underline">
        Take it
      </button>
    </p>
  );
}
