import { type FormEvent, useState } from 'react';
import { ApiError, isChangedMeanwhile, messageOf } from './api/api-error.ts';

export type FieldErrors = Readonly<Record<string, string>>;
type Fields = Record<string, string>;

/** Reads a form, checks it, runs its action once at a time, and shows refusals beside the fields. */
export function useForm<F extends Fields>(
  names: readonly (keyof F & string)[],
  action: (fields: F) => Promise<void>,
  findErrors: (fields: F) => FieldErrors | null,
) {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const [errors, setErrors] = useState<FieldErrors>({});

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const fields = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as F;
    const found = findErrors(fields);
    setErrors(found ?? {});
    setMessage(null);
    if (found) {
      form.querySelector<HTMLElement>(`[name="${Object.keys(found)[0]}"]`)?.focus();
      return;
    }
    setBusy(true);
    try {
      await action(fields);
    } catch (error) {
      if (error instanceof ApiError && error.details.length > 0 && !isChangedMeanwhile(error)) {
        setErrors(Object.fromEntries(error.details.map((detail) => [lastPart(detail.path), detail.message])));
      }
      setMessage(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, message, errors, onSubmit };
}

const lastPart = (path: string) => path.split('.').at(-1) ?? path;
