import { PASSWORD_MAX, PASSWORD_MIN } from '@copydesk/domain/access';
import type { FieldErrors } from '../../../ui/form/form-context.ts';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';

/**
 * A sign-in form with its rules.
 * @param values what its fields begin with
 * @param names the fields that it has now; the others are neither checked nor filled in
 */
export function useForm<F extends Record<string, string>>(
  values: F,
  action: (fields: F) => Promise<void>,
  names: readonly string[] = Object.keys(values),
) {
  return useDialogForm({
    values,
    findErrors: (fields: F) =>
      findFieldErrors(Object.fromEntries(names.map((name) => [name, fields[name] ?? '']))),
    send: action,
    done: () => null,
    onDone: () => {},
  });
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
