import { needsSecondPerson, type SettingName } from '@copydesk/domain/settings';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { boundText, SETTING_WORDS, settingText } from '../setting-words.ts';
import { type Setting, type SettingInput, settingsKeys } from '../settings-queries.ts';
import { type Draft, draftOf, isSameValue, readDraft } from './setting-draft.ts';
import { SettingFields } from './setting-fields.tsx';

/** Raising these makes people wait longer. */
const DELAYS: readonly SettingName[] = ['payout_address_hold_hours', 'approver_min_hours'];

/** Changes a setting, or asks another super admin to. */
export function SettingDialog({ setting, onClose }: { setting: Setting; onClose(): void }) {
  const { name } = setting;
  const { label, text } = SETTING_WORDS[name];
  const [draft, setDraft] = useState<Draft>(() => draftOf(name, setting.value));
  const { seen, refused } = useSeen(setting, (present) => setDraft(draftOf(name, present.value)));
  const { value, version } = seen;
  const [isChecked, setChecked] = useState(false);
  const read = readDraft(name, draft);
  const isSame = 'value' in read && isSameValue(name, value, read.value);
  const waits = 'value' in read && !isSame && needsSecondPerson(name, value as never, read.value as never);
  const delays = 'value' in read && DELAYS.includes(name) && Number(read.value) > Number(value);
  const change = useAct({
    reads: settingsKeys.all,
    send: () => {
      if ('error' in read) throw new Error(read.error);
      const set = { [name]: read.value } as SettingInput['set'];
      return call('PUT /api/platform-settings', { body: { set, version } });
    },
    done: ({ data }) =>
      waits
        ? { title: 'Change requested', text: `${label}: another super admin has to approve it` }
        : { title: 'Setting changed', text: `${label}: ${settingText(name, data.value)}` },
    onDone: onClose,
    onError: refused,
  });
  return (
    <AskDialog
      title={label}
      text={text}
      confirm={waits ? 'Request change' : 'Save'}
      busy="Saving..."
      {...change}
      onConfirm={() => {
        setChecked(true);
        if (isSame) {
          toast({ tone: 'neutral', title: 'No changes to save' });
          onClose();
        } else if ('value' in read) change.onConfirm();
      }}
      onClose={onClose}
    >
      <SettingFields
        name={name}
        draft={draft}
        bound={boundText(setting)}
        error={isChecked && 'error' in read ? read.error : undefined}
        onChange={setDraft}
      />
      {waits && (
        <p className="mt-3 rounded-md bg-caution-soft p-2 text-xs">
          This{' '}
          {delays ? 'delays payouts or approvals by more than three days' : 'loosens a protection of money'}:
          it applies once another super admin has approved it.
        </p>
      )}
    </AskDialog>
  );
}
