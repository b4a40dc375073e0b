import { useState } from 'react';
import type { FieldErrors } from '../../../lib/use-form.ts';

/** The fields with free text; a choice has its own control. */
type TextName<F> = { [K in keyof F]: string extends F[K] ? K : never }[keyof F] & string;

/** The typed values of a dialog, their text fields, and an act that only runs when all of them are right. */
export function useOfferForm<F extends object>(empty: F, errorsOf: (form: F) => FieldErrors) {
  const [form, setForm] = useState(empty);
  const [errors, setErrors] = useState<FieldErrors>({});
  return {
    form,
    setForm,
    /** The properties of a `TextField`. */
    field: (name: TextName<F>) => ({
      name,
      value: form[name] as string,
      autoComplete: 'off',
      error: errors[name],
      onChange: ({ target }: { target: { value: string } }) => setForm({ ...form, [name]: target.value }),
    }),
    checked: (act: () => void) => () => {
      const found = errorsOf(form);
      setErrors(found);
      if (Object.keys(found).length === 0) act();
    },
  };
}
