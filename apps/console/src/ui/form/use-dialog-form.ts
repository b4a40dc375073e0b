import { useEffect, useRef, useState } from 'react';
import { type FieldValues, useForm } from 'react-hook-form';
import { ApiError, isChangedMeanwhile } from '../../lib/api/api-error.ts';
import { mergeValues } from '../../lib/merge-values.ts';
import { useSeen } from '../../lib/use-seen.ts';
import { toast } from '../feedback/toast-store.ts';
import type { FieldErrors, FindField } from './form-context.ts';
import { type KeyOf, type Outcome, useSend } from './use-act.ts';

interface FormOptions<V extends object, T> extends Outcome<T, V> {
  /** What the fields begin with, by their names. */
  values: V;
  /** What is wrong with the values, by field, or under another name with several of them; empty when they can be sent. */
  findErrors?(values: V): FieldErrors | null;
  send(values: V, keyOf: KeyOf): Promise<T>;
  /** Called in place of sending. */
  skip?(values: V): boolean;
}

/** The values of a form, and the act that they are for. `FormDialog` shows it. */
export function useDialogForm<V extends object, T>(options: FormOptions<V, T>) {
  const { values: initial, findErrors, send, skip, onError, ...outcome } = options;
  const { register, watch, setValue, getValues, setError, reset, handleSubmit, formState } =
    useForm<FieldValues>({
      defaultValues: initial,
      resolver: (values) => {
        const found = Object.entries(findErrors?.(values as V) ?? {});
        const errors = Object.fromEntries(found.map(([name, message]) => [name, { type: 'check', message }]));
        return found.length > 0 ? { values: {}, errors } : { values, errors: {} };
      },
    });
  const values = watch() as V;
  const element = useRef<HTMLFormElement>(null);
  /** The fields say all that the refusal says. */
  const [isAtFields, setAtFields] = useState(false);
  /** What another person wrote meanwhile, by field. */
  const [theirs, setTheirs] = useState<Readonly<Record<string, unknown>>>({});
  const act = useSend(send, {
    ...outcome,
    onError: (error) => {
      setAtFields(showDetails(error));
      onError?.(error);
    },
  });

  /** Shows what the server found wrong beside its fields. Returns whether that is all of it. */
  function showDetails(error: Error): boolean {
    if (!(error instanceof ApiError) || isChangedMeanwhile(error)) return false;
    const found = new Map(error.details.map(({ path, message }) => [lastPart(path), message]));
    const shown = [...new Set(fieldsOf(element.current).map(({ name }) => name))].filter((name) =>
      found.has(name),
    );
    for (const [nth, name] of shown.entries())
      setError(name, { type: 'server', message: found.get(name) ?? '' }, { shouldFocus: nth === 0 });
    return shown.length > 0 && shown.length === found.size;
  }

  const submit = (form: HTMLFormElement) => {
    element.current = form;
    // Password managers may fill in a field without an event.
    for (const { name, type, value } of fieldsOf(form))
      if (name in values && !CHECKS.has(type) && getValues(name) !== value) setValue(name, value);
    void handleSubmit(
      (checked) => (skip?.(checked as V) ? undefined : act.run(checked as V)),
      // What the server said was about other values.
      act.reset,
    )();
  };
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(formState.errors).map(([name, error]) => [name, String(error?.message ?? '')]),
  );
  const ofNoField = Object.entries(errors).find(([name]) => !(name in values))?.[1];
  const take = (name: string) => {
    setValue(name, theirs[name], { shouldDirty: true });
    setTheirs(({ [name]: _, ...others }) => others);
  };
  const findField: FindField = (name) =>
    name in values
      ? {
          error: errors[name],
          input: register(name),
          theirs: name in theirs ? { value: theirs[name], take: () => take(name) } : undefined,
        }
      : null;
  return {
    values,
    /** The same, with what was typed since they were shown last. */
    readValues: () => getValues() as V,
    set: <K extends keyof V & string>(name: K, value: V[K]) =>
      setValue(name as string, value, { shouldValidate: formState.isSubmitted }),
    /** Goes on after another person's change: with these values, and what that person wrote in some fields. */
    goOn(present: V, others: Readonly<Record<string, unknown>>) {
      reset(present);
      setTheirs(others);
    },
    errors,
    isBusy: act.isBusy,
    error: ofNoField ?? (isAtFields ? null : act.error),
    failure: act.failure,
    /** Another person changed some of what was changed here. */
    isContested: Object.keys(theirs).length > 0,
    findField,
    submit,
  };
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
const CHECKS: ReadonlySet<string> = new Set(['checkbox', 'radio']);

/** The fields of a form that can be seen or filled in, in the order of the page. */
const fieldsOf = (form: HTMLFormElement | null) =>
  [...(form?.elements ?? [])].filter((element): element is Field => 'value' in element && 'name' in element);

const lastPart = (path: string) => path.split('.').at(-1) ?? path;

interface Versioned {
  version: string | number;
}

interface EditOptions<R extends Versioned, V extends object, B extends object, T>
  extends Omit<FormOptions<V, T>, 'values' | 'send' | 'skip'> {
  /** The newest state of it. */
  record: R;
  valuesOf(record: R): V;
  /** The part of the request that the values change in the record, without its version. */
  changesOf(values: V, seen: R): B;
  send(changes: B & Pick<R, 'version'>, keyOf: KeyOf): Promise<T>;
  onClose(): void;
}

/**
 * A form that changes a record as it was when it opened. A change of another person in between is refused by the server:
 * fields that were not touched then show the present state, and those that were keep what was typed, with what the other
 * person wrote below it. Without changes nothing is sent.
 */
export function useEditForm<R extends Versioned, V extends object, B extends object, T>({
  record,
  valuesOf,
  changesOf,
  send,
  onClose,
  onError,
  ...options
}: EditOptions<R, V, B, T>) {
  const { seen, refused } = useSeen(record);
  const form = useDialogForm<V, T>({
    ...options,
    values: valuesOf(seen),
    send: (values, keyOf) => send({ ...changesOf(values, seen), version: seen.version }, keyOf),
    skip: (values) => {
      const isSame = Object.keys(changesOf(values, seen)).length === 0;
      if (isSame) {
        toast({ tone: 'neutral', title: 'No changes to save' });
        onClose();
      }
      return isSame;
    },
    onError: (error) => {
      refused(error);
      onError?.(error);
    },
  });
  const shown = useRef(seen);
  useEffect(() => {
    if (shown.current.version === seen.version) return;
    const present = valuesOf(seen);
    const { values, conflicts } = mergeValues(valuesOf(shown.current), form.readValues(), present);
    shown.current = seen;
    form.goOn(values, Object.fromEntries(conflicts.map((name) => [name, present[name]])));
  });
  return { ...form, seen };
}
