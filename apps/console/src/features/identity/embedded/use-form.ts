import { PASSWORD_MAX, PASSWORD_MIN } from '@copydesk/domain/access';
import { type FieldErrors, useForm as useCheckedForm } from '../../../lib/use-form.ts';

/** A sign-in form with its rules. */
export function useForm<F extends Record<string, string>>(
  names: readonly (keyof F & string)[],
  action: (fields: F) => Promise<void>,
) {
  return useCheckedForm(names, action, findFieldErrors);
}

/** Texts in the API's wording (console spec, section 8). */
const rules: Record<string, (value: string) => string | null> = {
  email: (value) => (/^\S+@\S+\.\S+$/.test(value) ? null : 'Enter an e-mail address'),
  // Rules apply only to a new password, not to an existing one.
  newPassword: (value) =>
    value.length < PASSWORD_MIN || value.length > PASSWORD_MAX
      ? `Use ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`
      : null,
  code: (value) => (/^\d{6}$/.test(value.replace(/[\s-]/g, '')) ? null : 'Enter the 6 digits'),
};

/** The errors in a form's fields, by name; null when there are none. */
export function findFieldErrors(fields: Readonly<Record<string, string>>): FieldErrors | null {
  const errors: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const problem = value.trim() === '' ? 'Required' : (rules[name]?.(value) ?? null);
    if (problem) errors[name] = problem;
  }
  return Object.keys(errors).length > 0 ? errors : null;
}
