import type { Language } from '@copydesk/domain/catalogue';
import { largestCommunityPercentage } from '@copydesk/domain/invoices';
import { BUSINESS_DEFAULTS } from '@copydesk/domain/settings';
import type { ReactNode } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { percentWords } from '../../../lib/format/figures.ts';
import { languageOptions } from '../../../lib/format/language-name.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { CheckList } from '../../../ui/form/check-list.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { communitiesKeys } from '../communities-keys.ts';
import type { AdminCommunity } from '../communities-queries.ts';
import { SPLIT_TIP } from '../settings/setting-fields.ts';
import { communityErrors, type NewCommunity } from './new-community-fields.ts';

export interface SplitProvider {
  id: string;
  display_name: string;
  payment_split_percentage: number;
}

/** A bot of its own, which is connected once the community exists. */
export interface BotOfNew {
  /** Named `bot_token`. */
  field: ReactNode;
  /** @throws ApiError when it could not be connected */
  connect(communityId: string, token: string, language: Language): Promise<unknown>;
}

interface NewCommunityDialogProps {
  bot: BotOfNew;
  /** The active ones. */
  providers: readonly SplitProvider[];
  onClose(): void;
  onCreated(community: AdminCommunity): void;
}

const EMPTY: NewCommunity = {
  name: '',
  provider_ids: [],
  split_percentage: '5',
  minimum_balance: BUSINESS_DEFAULTS.communityMinimumBalance,
  external_wallet_address: '',
  referrer_wallet_address: '',
  owner_name: '',
  owner_telegram_id: '',
  owner_language: 'en',
  bot_token: '',
};

/** Creates a community with its providers, terms, addresses and owner. */
export function NewCommunityDialog({ providers, bot, onClose, onCreated }: NewCommunityDialogProps) {
  const form = useDialogForm({
    values: EMPTY,
    findErrors: communityErrors,
    send: ({ bot_token: _, ...values }, keyOf) => {
      const body = {
        ...values,
        provider_ids: [...values.provider_ids],
        split_percentage: Number(values.split_percentage),
        minimum_balance: Number(values.minimum_balance),
      };
      return call('POST /api/communities', { body, idempotencyKey: keyOf(body) });
    },
    done: ({ data }) => ({ title: 'Community created', text: data.name }),
    reads: communitiesKeys.all,
    onDone: async ({ data }, { bot_token, owner_language }) => {
      if (bot_token.trim())
        // The community exists without its bot, which its settings can connect later.
        await bot.connect(data.id, bot_token.trim(), owner_language).catch((error: unknown) =>
          toast({
            tone: 'negative',
            title: 'The bot was not connected',
            text: `${messageOf(error).replace(/\.$/, '')}. You can connect it in the settings of the community.`,
          }),
        );
      onClose();
      onCreated(data);
    },
  });
  const { provider_ids, referrer_wallet_address } = form.values;
  const chosen = providers.filter(({ id }) => provider_ids.includes(id));
  const most = Math.min(
    ...chosen.map(({ payment_split_percentage: share }) =>
      Number(largestCommunityPercentage(String(share), referrer_wallet_address.trim() !== '')),
    ),
  );
  return (
    <FormDialog
      form={form}
      title="New community"
      text="The worker sets up its wallet within a minute."
      confirm="Create community"
      busy="Creating..."
      leave="Cancel"
      onClose={onClose}
    >
      <TextField label="Name" name="name" {...PLAIN} maxLength={200} autoFocus />
      <CheckList
        legend="Providers"
        name="provider_ids"
        layout="grid gap-1 sm:grid-cols-2"
        options={providers.map(({ id, display_name }) => ({ value: id, label: display_name }))}
        hint={
          providers.length === 0
            ? 'There is no active provider. Create one first.'
            : 'Its traders choose among these. You can link more later.'
        }
      />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField
          label="Split percentage"
          name="split_percentage"
          {...PLAIN}
          inputMode="decimal"
          hint={Number.isFinite(most) ? `At most ${percentWords(most)} with these providers` : SPLIT_TIP}
        />
        <TextField
          label="Minimum balance (USDT)"
          name="minimum_balance"
          {...PLAIN}
          inputMode="numeric"
          hint="Traders below it are marked"
        />
      </div>
      <TextField
        label="External wallet address"
        name="external_wallet_address"
        {...PLAIN}
        isMono
        maxLength={42}
        hint="Where the community's share goes. A new address is held first. Without one the share waits."
      />
      <TextField
        label="Referrer wallet address"
        name="referrer_wallet_address"
        {...PLAIN}
        isMono
        maxLength={42}
        hint="Gets 1% of every invoice. Leave it empty for none."
      />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField label="Owner" name="owner_name" {...PLAIN} maxLength={200} />
        <SelectField label="Owner's language" name="owner_language" options={languageOptions()} />
      </div>
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField
          label="Owner's Telegram chat"
          name="owner_telegram_id"
          {...PLAIN}
          inputMode="numeric"
          hint="A number. The owner has to start the bot once. Empty: no messages."
        />
        {bot.field}
      </div>
    </FormDialog>
  );
}

const PLAIN = { autoComplete: 'off', spellCheck: false } as const;
