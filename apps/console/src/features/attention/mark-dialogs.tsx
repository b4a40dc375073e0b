import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../lib/api/api-error.ts';
import { ATTENTION_KEY } from '../../lib/live/attention-key.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../ui/form/reason-field.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { useDialogForm } from '../../ui/form/use-dialog-form.ts';
import { type AttentionItem, seersQuery, sendMark } from './attention-queries.ts';

interface MarkDialogProps {
  item: AttentionItem;
  /** The item in words. */
  words: string;
  onClose(): void;
}

const HOUR_MS = 3_600_000;
const ENDS = [
  { value: '1', label: 'in an hour' },
  { value: '4', label: 'in 4 hours' },
  { value: '24', label: 'in a day' },
  { value: '72', label: 'in 3 days' },
  { value: '168', label: 'in a week' },
  // A minute less than the longest: clocks differ.
  { value: '719', label: 'in 30 days' },
] as const;

/** Lets an item sleep, for all readers, until a moment or another cause. */
export function SnoozeDialog({ item, words, onClose }: MarkDialogProps) {
  const form = useDialogForm({
    values: { hours: '24', reason: '' },
    findErrors: ({ reason }) => (reason.trim() ? null : { reason: 'Enter a reason' }),
    send: ({ hours, reason }) =>
      sendMark(item, {
        kind: 'snooze',
        until: new Date(Date.now() + Number(hours) * HOUR_MS).toISOString(),
        reason,
      }),
    reads: ATTENTION_KEY,
    done: () => ({ title: 'Snoozed', text: words }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Snooze"
      text={`${words}. It sleeps for everybody, and comes back at its end, or at once when its cause changes.`}
      form={form}
      confirm="Snooze"
      busy="Saving..."
      onClose={onClose}
    >
      <SelectField label="Comes back" name="hours" options={ENDS} />
      <ReasonField />
    </FormDialog>
  );
}

/** Gives an item to a colleague who sees it. */
export function HandOverDialog({ item, words, onClose }: MarkDialogProps) {
  const { data, error } = useQuery(seersQuery(item));
  const people = data?.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })) ?? [];
  const form = useDialogForm({
    values: { to: '' },
    findErrors: ({ to }) => (to ? null : { to: 'Choose a person' }),
    send: ({ to }) => sendMark(item, { kind: 'hand_over', to }),
    reads: ATTENTION_KEY,
    done: () => ({ title: 'Handed over', text: words }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Hand over"
      text={`${words}.`}
      form={error ? { ...form, error: messageOf(error) } : form}
      confirm="Hand over"
      busy="Saving..."
      onClose={onClose}
    >
      <SelectField
        label="To"
        name="to"
        options={[{ value: '', label: data ? 'Choose a person' : 'Loading...' }, ...people]}
      />
    </FormDialog>
  );
}
