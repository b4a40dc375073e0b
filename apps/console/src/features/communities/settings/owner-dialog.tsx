import { call } from '../../../lib/api/api.ts';
import { languageOptions } from '../../../lib/format/language-name.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
import { communitiesKeys } from '../communities-keys.ts';
import type { CommunityWithSettings } from '../communities-queries.ts';

const formOf = ({ name, owner }: CommunityWithSettings) => ({
  name,
  owner_name: owner.name ?? '',
  owner_telegram_id: owner.telegram_id ?? '',
  owner_language: owner.language ?? 'en',
});
type Form = ReturnType<typeof formOf>;

/** Only what differs. */
function changesOf(form: Form, seen: CommunityWithSettings) {
  const before = formOf(seen);
  const names = (Object.keys(form) as (keyof Form)[]).filter((name) => form[name].trim() !== before[name]);
  return Object.fromEntries(names.map((name) => [name, form[name].trim()])) as Partial<Form>;
}

/** The names of a community and its owner, and how the owner is reached. */
export function OwnerDialog({ community, onClose }: { community: CommunityWithSettings; onClose(): void }) {
  const { id } = community;
  const form = useEditForm({
    record: community,
    valuesOf: formOf,
    changesOf,
    send: (body, keyOf) =>
      call('PATCH /api/communities/{id}', { params: { id }, body, idempotencyKey: keyOf(body) }),
    done: ({ data }) => ({ title: 'Community updated', text: data.name }),
    reads: communitiesKeys.all,
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Name and Owner"
      text="The owner withdraws from the exchange when a harvest starts, and is notified on Telegram."
      confirm="Save"
      busy="Saving..."
      onClose={onClose}
    >
      <TextField label="Community" name="name" {...PLAIN} data-first-focus />
      <TextField label="Owner" name="owner_name" {...PLAIN} />
      <TextField
        label="Owner's Telegram chat"
        name="owner_telegram_id"
        {...PLAIN}
        inputMode="numeric"
        hint="A number. The owner has to start the bot once. Empty: no messages."
      />
      <SelectField label="Owner's language" name="owner_language" options={languageOptions()} />
    </FormDialog>
  );
}

const PLAIN = { autoComplete: 'off', maxLength: 200 } as const;
