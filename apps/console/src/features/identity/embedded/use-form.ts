import { useForm as useCheckedForm } from '../../../lib/use-form.ts';
import { findFieldErrors } from './field-rules.ts';

/** A sign-in form with its rules. */
export function useForm<F extends Record<string, string>>(
  names: readonly (keyof F & string)[],
  action: (fields: F) => Promise<void>,
) {
  return useCheckedForm(names, action, findFieldErrors);
}
