import { useState } from 'react';
import { type SplitRow, sampleSplit } from '../../../lib/format/sample-split.ts';
import { useForm } from '../../../lib/use-form.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { SplitTable } from '../../../ui/figures/split-table.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { CommunityWithSettings } from '../communities-queries.ts';
import { type Setting, settingError, settingValue } from './setting-fields.ts';
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

/** Previews the split for each provider of the community. */
function SplitPreviewTable({
  community,
  percentage,
}: {
  community: CommunityWithSettings;
  /** In the form of the request; null while there is none. */
  percentage: string | null;
}) {
  if (community.providers.length === 0)
    return <p className="text-xs text-muted">No provider is linked to this community yet.</p>;
  const referral = Number(community.trader_referral_percentage);
  return (
    <SplitTable
      rows={previewSplit(community, percentage ?? String(community.split_percentage))}
      hasReferrer={community.referrer_wallet_address !== null}
      note={
        <>
          Existing invoices stay as they are.
          {referral > 0 && ` ${referral}% of the community's part goes to whoever referred the trader.`}
        </>
      }
    />
  );
}

/** The effect of a new percentage on the invoices of each provider. */
export function previewSplit(community: CommunityWithSettings, percentage: string): SplitRow[] {
  return community.providers.map(({ display_name, payment_split_percentage }) => {
    const sample = (communityPercentage: string) =>
      sampleSplit({
        providerShare: String(payment_split_percentage),
        communityPercentage,
        hasCommunityReferrer: community.referrer_wallet_address !== null,
      });
    return {
      name: display_name,
      before: sample(String(community.split_percentage)),
      after: sample(percentage),
    };
  });
}
