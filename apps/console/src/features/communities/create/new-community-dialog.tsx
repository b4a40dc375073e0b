import type { Language } from '@copydesk/domain/catalogue';
import { largestCommunityPercentage } from '@copydesk/domain/invoices';
import { BUSINESS_DEFAULTS } from '@copydesk/domain/settings';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { languageOptions } from '../../../lib/format/language-name.ts';
import type { FieldErrors } from '../../../lib/use-form.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { type AdminCommunity, communitiesKeys } from '../communities-queries.ts';
import { SPLIT_TIP } from '../settings/setting-fields.ts';
import { communityErrors, type NewCommunity } from './new-community-fields.ts';

export interface SplitProvider {
  id: string;
  display_name: string;
  payment_split_percentage: number;
}

/** A bot of its own, which is connected once the community exists. */
export interface BotOfNew {
  field(token: string, onChange: (token: string) => void): ReactNode;
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
};

type Text = Exclude<keyof NewCommunity, 'provider_ids' | 'owner_language'>;

/** Creates a community with its providers, terms, addresses and owner. */
export function NewCommunityDialog({ providers, bot, onClose, onCreated }: NewCommunityDialogProps) {
  const client = useQueryClient();
  const once = useOnceKey();
  const [form, setForm] = useState(EMPTY);
  const [botToken, setBotToken] = useState('');
  const [missing, setMissing] = useState<FieldErrors>({});
  const create = useMutation({
    mutationFn: () => {
      const body = {
        ...form,
        provider_ids: [...form.provider_ids],
        split_percentage: Number(form.split_percentage),
        minimum_balance: Number(form.minimum_balance),
        owner_language: form.owner_language as Language,
      };
      return call('POST /api/communities', { body, idempotencyKey: once.keyOf(body) });
    },
    onSuccess: async ({ data }) => {
      toast({ tone: 'positive', title: 'Community created', text: data.name });
      if (botToken.trim()) await connectBot(data.id);
      onClose();
      onCreated(data);
    },
    onError: once.failed,
    onSettled: readAgain(client, communitiesKeys.all),
  });
  // The community stands without its bot, which its settings can connect later.
  const connectBot = (communityId: string) =>
    bot.connect(communityId, botToken.trim(), form.owner_language as Language).catch((error: unknown) =>
      toast({
        tone: 'negative',
        title: 'The bot was not connected',
        text: `${messageOf(error).replace(/\.$/, '')}. You can connect it in the settings of the community.`,
      }),
    );
  const details = create.error instanceof ApiError ? create.error.details : [];
  const errors: FieldErrors = {
    ...Object.fromEntries(details.map(({ path, message }) => [path, message])),
    ...missing,
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = communityErrors(form);
    setMissing(found ?? {});
    if (found) event.currentTarget.querySelector<HTMLElement>(`[name="${Object.keys(found)[0]}"]`)?.focus();
    else if (!create.isPending) create.mutate();
  };
  const field = (name: Text) => ({
    name,
    value: form[name],
    autoComplete: 'off',
    spellCheck: false,
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => setForm({ ...form, [name]: target.value }),
  });
  const chosen = providers.filter(({ id }) => form.provider_ids.includes(id));
  const most = Math.min(
    ...chosen.map(({ payment_split_percentage: share }) =>
      Number(largestCommunityPercentage(String(share), form.referrer_wallet_address.trim() !== '')),
    ),
  );
  return (
    <Dialog title="New community" text="The worker sets up its wallet within a minute." onClose={onClose}>
      <form noValidate onSubmit={submit} className="space-y-3.5">
        <FormError message={create.error && details.length === 0 ? messageOf(create.error) : null} />
        <TextField label="Name" {...field('name')} maxLength={200} autoFocus />
        <fieldset>
          <legend className="font-medium">Providers</legend>
          <div className="mt-1 grid gap-1 sm:grid-cols-2">
            {providers.map(({ id, display_name }) => (
              <CheckField
                key={id}
                name="provider_ids"
                label={display_name}
                checked={form.provider_ids.includes(id)}
                onChange={({ target }) =>
                  setForm({
                    ...form,
                    provider_ids: target.checked
                      ? [...form.provider_ids, id]
                      : form.provider_ids.filter((each) => each !== id),
                  })
                }
              />
            ))}
          </div>
          <p className={`mt-1 text-xs ${errors.provider_ids ? 'text-negative' : 'text-muted'}`} role="status">
            {errors.provider_ids ??
              (providers.length === 0
                ? 'There is no active provider. Create one first.'
                : 'Its traders choose among these. You can link more later.')}
          </p>
        </fieldset>
        <div className="grid gap-3.5 sm:grid-cols-2">
          <TextField
            label="Split percentage"
            {...field('split_percentage')}
            inputMode="decimal"
            hint={Number.isFinite(most) ? `At most ${most}% with these providers` : SPLIT_TIP}
          />
          <TextField
            label="Minimum balance (USDT)"
            {...field('minimum_balance')}
            inputMode="numeric"
            hint="Traders below it are marked"
          />
        </div>
        <TextField
          label="External wallet address"
          {...field('external_wallet_address')}
          isMono
          maxLength={42}
          hint="Where the community's share goes. A new address is held first. Without one the share waits."
        />
        <TextField
          label="Referrer wallet address"
          {...field('referrer_wallet_address')}
          isMono
          maxLength={42}
          hint="Gets 1% of every invoice. Leave it empty for none."
        />
        <div className="grid gap-3.5 sm:grid-cols-2">
          <TextField label="Owner" {...field('owner_name')} maxLength={200} />
          <SelectField
            label="Owner's language"
            value={form.owner_language}
            options={languageOptions()}
            onChange={({ target }) => setForm({ ...form, owner_language: target.value })}
          />
        </div>
        <div className="grid gap-3.5 sm:grid-cols-2">
          <TextField
            label="Owner's Telegram chat"
            {...field('owner_telegram_id')}
            inputMode="numeric"
            hint="A number. The owner has to start the bot once. Empty: no messages."
          />
          {bot.field(botToken, setBotToken)}
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" aria-disabled={create.isPending}>
            {create.isPending ? 'Creating...' : 'Create community'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
