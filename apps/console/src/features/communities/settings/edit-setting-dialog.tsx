import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../../lib/api/api.ts';
import { percentWords } from '../../../lib/format/figures.ts';
import { type SplitRow, sampleSplit, splitPreview } from '../../../lib/format/sample-split.ts';
import { ChangeTable } from '../../../ui/figures/change-table.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
import { communitiesKeys } from '../communities-keys.ts';
import { type CommunityWithSettings, communityQuery } from '../communities-queries.ts';
import {
  editTitle,
  SETTING_MEANS,
  SETTING_TITLES,
  type Setting,
  settingError,
  settingText,
  settingValue,
} from './setting-fields.ts';

const LABELS: Record<Setting, string> = {
  split_percentage: 'Split (%)',
  minimum_balance: 'Minimum balance in USDT',
  referrer_wallet_address: 'Address on BNB Smart Chain',
};

interface EditSettingDialogProps {
  community: CommunityWithSettings;
  setting: Setting;
  onClose(): void;
  /** What comes before the field. */
  children?: ReactNode;
}

/** Changes one setting. Shows its meaning, its present value, and for the split a preview. */
export function EditSettingDialog({ community, setting, onClose, children }: EditSettingDialogProps) {
  const client = useQueryClient();
  const { id, name } = community;
  const form = useEditForm({
    record: community,
    valuesOf: (seen): Partial<Record<Setting, string>> => ({ [setting]: String(seen[setting] ?? '') }),
    findErrors: ({ [setting]: typed = '' }) => {
      const error = settingError(setting, typed, community);
      return error ? { [setting]: error } : null;
    },
    changesOf: ({ [setting]: typed = '' }, seen) => {
      const value = settingValue(setting, typed);
      return value === seen[setting] ? {} : { [setting]: value };
    },
    send: (body, keyOf) =>
      call('PATCH /api/super-admin/communities/{id}', { params: { id }, body, idempotencyKey: keyOf(body) }),
    done: ({ data }) => {
      client.setQueryData(communityQuery(id).queryKey, (shown) => shown && { ...shown, ...data });
      return {
        title: `${SETTING_TITLES[setting]} updated`,
        text: `${name}: ${settingText(setting, data[setting])}`,
      };
    },
    reads: communitiesKeys.all,
    onDone: onClose,
    onClose,
  });
  const isSplit = setting === 'split_percentage';
  const { [setting]: typed = '' } = form.values;
  const isNumber = /^\d+(\.\d{1,2})?$/.test(typed.trim()) && Number(typed) <= 100;
  return (
    <FormDialog
      form={form}
      title={editTitle(setting)}
      text={SETTING_MEANS[setting]}
      confirm="Save"
      busy="Saving..."
      leave="Cancel"
      onClose={onClose}
    >
      {children}
      <TextField
        label={LABELS[setting]}
        name={setting}
        inputMode={setting === 'referrer_wallet_address' ? 'text' : isSplit ? 'decimal' : 'numeric'}
        maxLength={setting === 'referrer_wallet_address' ? 42 : 16}
        autoComplete="off"
        spellCheck={false}
        autoFocus
      />
      {isSplit && (
        <SplitPreviewTable
          community={community}
          percentage={isNumber ? String(settingValue(setting, typed)) : null}
        />
      )}
    </FormDialog>
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
    <ChangeTable
      rows={previewSplit(community, percentage ?? String(community.split_percentage))}
      {...splitPreview(community.referrer_wallet_address !== null)}
      note={
        <>
          Existing invoices stay as they are.
          {referral > 0 &&
            ` ${percentWords(referral)} of the community's part goes to whoever referred the trader.`}
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
