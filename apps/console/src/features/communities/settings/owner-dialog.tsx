import type { Language } from '@copydesk/domain/catalogue';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { languageOptions } from '../../../lib/format/language-name.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { type CommunityWithSettings, communitiesKeys } from '../communities-queries.ts';

const formOf = ({ name, owner }: CommunityWithSettings) => ({
  name,
  owner_name: owner.name ?? '',
  owner_telegram_id: owner.telegram_id ?? '',
  owner_language: owner.language ?? 'en',
});

/** The names of a community and its owner, and how the owner is reached. Only what differs is sent. */
export function OwnerDialog({ community, onClose }: { community: CommunityWithSettings; onClose(): void }) {
  const client = useQueryClient();
  const once = useOnceKey();
  const { id } = community;
  const [form, setForm] = useState(() => formOf(community));
  const { seen, refused } = useSeen(community, (present) => setForm(formOf(present)));
  const before = formOf(seen);
  const body = Object.fromEntries(
    (Object.keys(form) as (keyof typeof form)[])
      .filter((name) => form[name].trim() !== before[name])
      .map((name) => [name, form[name].trim()]),
  ) as Partial<typeof form> & { owner_language?: Language };
  const save = useMutation({
    mutationFn: async () => {
      if (Object.keys(body).length === 0) return null;
      const sent = { ...body, version: seen.version };
      const idempotencyKey = once.keyOf(sent);
      return call('PATCH /api/communities/{id}', { params: { id }, body: sent, idempotencyKey });
    },
    onSuccess: (saved) => {
      toast(
        saved
          ? { tone: 'positive', title: 'Community updated', text: saved.data.name }
          : { tone: 'neutral', title: 'No changes to save' },
      );
      onClose();
    },
    onError: (error) => {
      once.failed(error);
      refused(error);
    },
    onSettled: readAgain(client, communitiesKeys.all),
  });
  const field = (name: 'name' | 'owner_name' | 'owner_telegram_id') => ({
    name,
    value: form[name],
    autoComplete: 'off',
    maxLength: 200,
    onChange: ({ target }: { target: { value: string } }) => setForm({ ...form, [name]: target.value }),
  });
  return (
    <AskDialog
      title="Name and Owner"
      text="The owner withdraws from the exchange when a harvest starts, and is notified on Telegram."
      confirm="Save"
      busy="Saving..."
      isBusy={save.isPending}
      error={save.error ? messageOf(save.error) : null}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <TextField label="Community" data-first-focus {...field('name')} />
        <TextField label="Owner" {...field('owner_name')} />
        <TextField
          label="Owner's Telegram chat"
          {...field('owner_telegram_id')}
          inputMode="numeric"
          hint="A number. The owner has to start the bot once. Empty: no messages."
        />
        <SelectField
          label="Owner's language"
          value={form.owner_language}
          options={languageOptions()}
          onChange={({ target }) => setForm({ ...form, owner_language: target.value as Language })}
        />
      </div>
    </AskDialog>
  );
}
