import { createContext, type RefCallback, use } from 'react';

/** What is wrong with the fields of a form, by their names. */
export type FieldErrors = Readonly<Record<string, string>>;

/** What a form gives to a field of it. */
export interface FormField {
  error: string | undefined;
  /** What another person made of it while it was changed here. */
  theirs?: { value: unknown; take(): void } | undefined;
  input: {
    name: string;
    ref: RefCallback<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;
    onChange(event: { target: unknown }): unknown;
    onBlur(event: { target: unknown }): unknown;
  };
}

/** Finds a field by its name; null where the form has no value of this name. */
export type FindField = (name: string) => FormField | null;

export const FormContext = createContext<FindField | null>(null);

/** The field of the form around it; null outside of a form. */
export function useField(name: string | undefined): FormField | null {
  const find = use(FormContext);
  return name === undefined ? null : (find?.(name) ?? null);
}
