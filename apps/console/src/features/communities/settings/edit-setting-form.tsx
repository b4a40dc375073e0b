import { useState } from 'react';
import { useForm } from '../../../lib/use-form.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { FormError } from '../../../ui/forms/form-error.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import type { CommunityWithSettings } from '../communities-queries.ts';
import { type Setting, settingError, settingValue } from './setting-fields.ts';
import { SplitPreviewTable } from './split-preview-table.tsx';
import { useChangeSetting } from './use-change-setting.ts';

const LABELS: Record<Setting, string> = {
  split_percentage: 'Split (%)',
  minimum_balance: 'Minimum balance in USDT',
  referrer_wallet_address: 'Address on BNB Smart Chain',
};

interface EditSettingFormProps {
  community: CommunityWithSettings;
  setting: Setting;
  onClose(): void;
}

/** The field of one setting with its present value, and for the split a preview. */
export function EditSettingForm({ community, setting, onClose }: EditSettingFormProps) {
  const [typed, setTyped] = useState(String(community[setting] ?? ''));
  const { seen, refused } = useSeen(community, (present) => setTyped(String(present[setting] ?? '')));
  const change = useChangeSetting(seen, setting, refused);
  const save = async (fields: Record<string, string>) => {
    const text = fields[setting] ?? '';
    if (settingValue(setting, text) === seen[setting])
      toast({ tone: 'neutral', title: 'No changes to save' });
    else await change.mutateAsync(text);
    onClose();
  };
  const form = useForm<Record<string, string>>([setting], save, (fields) => {
    const error = settingError(setting, fields[setting] ?? '', community);
    return error ? { [setting]: error } : null;
  });
  const isSplit = setting === 'split_percentage';
  const isNumber = /^\d+(\.\d{1,2})?$/.test(typed.trim()) && Number(typed) <= 100;
  const fieldError = form.errors[setting];
  return (
    <form noValidate onSubmit={form.onSubmit} className="space-y-4">
      <FormError message={fieldError ? null : form.message} />
      <TextField
        label={LABELS[setting]}
        name={setting}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        inputMode={setting === 'referrer_wallet_address' ? 'text' : isSplit ? 'decimal' : 'numeric'}
        maxLength={setting === 'referrer_wallet_address' ? 42 : 16}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        error={fieldError}
      />
      {isSplit && (
        <SplitPreviewTable
          community={community}
          percentage={isNumber ? String(settingValue(setting, typed)) : null}
        />
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" aria-disabled={form.isBusy}>
          {form.isBusy ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
