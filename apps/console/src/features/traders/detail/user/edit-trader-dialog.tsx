import type { Trader } from '@copydesk/contract/traders';
import { cleanLine, cleanPasted } from '@copydesk/domain/text';
import { displayName } from '../../../../lib/format/trader-name.ts';
import { FormDialog } from '../../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useEditForm } from '../../../../ui/form/use-dialog-form.ts';
import { PersonFields, personErrors, personOf } from '../../person-fields.tsx';
import { useChangeTrader } from '../use-change-trader.ts';

/** Changes who a trader is, and where it is written and paid to. */
export default function EditTraderDialog({ trader, onClose }: { trader: Trader; onClose(): void }) {
  const record: Seen = { ...trader, version: trader.version ?? '' };
  const { change, changed, reads } = useChangeTrader(trader.id);
  const form = useEditForm({
    record,
    valuesOf,
    // Stored values were valid by the rules of their day: only what is typed is checked.
    findErrors: (values) => {
      const changes = changesOf(values, record);
      return Object.fromEntries(Object.entries(personErrors(values)).filter(([name]) => name in changes));
    },
    changesOf,
    send: change,
    done: () => ({ title: 'Trader updated' }),
    reads,
    onDone: (answer) => {
      changed(answer);
      onClose();
    },
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Edit trader"
      text={`${displayName(trader)}. Another e-mail address, Telegram ID or payout address needs a recent sign-in.`}
      confirm="Save"
      busy="Saving..."
      leave="Cancel"
      onClose={onClose}
    >
      <PersonFields
        isFirst
        chatHint="Invoices and payment addresses are sent there. A new one cannot confirm a payout address for 30 days."
      />
      <TextField
        label="Payout address"
        name="external_wallet_address"
        autoComplete="off"
        spellCheck={false}
        isMono
        maxLength={42}
        hint="Where referral shares, returned credit and money from pools go. A new address is held first."
      />
    </FormDialog>
  );
}

type Seen = Trader & { version: string };

const valuesOf = (seen: Seen) => ({
  // Without the marks that isolate names of right-to-left scripts on a screen.
  name: cleanLine(seen.name ?? ''),
  email: seen.email ?? '',
  telegram_username: cleanLine(seen.telegram_username ?? '').replace(/^@/, ''),
  telegram_user_id: seen.telegram_user_id ?? '',
  language: seen.language,
  external_wallet_address: seen.external_wallet_address ?? '',
});
type Values = ReturnType<typeof valuesOf>;

/** As it is sent. The server writes an address with its checksum, however it is typed. */
const wantedOf = (values: Values) => ({
  ...personOf(values),
  external_wallet_address: cleanPasted(values.external_wallet_address) || null,
});
type Changes = Partial<ReturnType<typeof wantedOf>>;

/** The fields that differ from what the trader had as it was shown: those that need a recent sign-in ask for one. */
function changesOf(values: Values, seen: Seen): Changes {
  const present: Changes = wantedOf(valuesOf(seen));
  return Object.fromEntries(
    Object.entries(wantedOf(values)).filter(([name, value]) => {
      const before = present[name as keyof Changes];
      return name === 'external_wallet_address'
        ? value?.toLowerCase() !== before?.toLowerCase()
        : value !== before;
    }),
  );
}
