import { needsSecondPerson, type SettingName } from '@copydesk/domain/settings';
import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
import { boundText, SETTINGS, settingText } from '../setting-views.ts';
import { type Setting, type SettingInput, settingsKeys } from '../settings-queries.ts';
import { type Draft, draftOf, isSameValue, readDraft } from './setting-draft.ts';
import { SettingFields } from './setting-fields.tsx';

/** Raising these makes people wait longer. */
const DELAYS: readonly SettingName[] = ['payout_address_hold_hours', 'approver_min_hours'];

/** What a draft makes of a value: null while it is none, or the same. */
function changeOf({ name, value }: Setting, draft: Draft) {
  const read = readDraft(name, draft);
  if ('error' in read || isSameValue(name, value, read.value)) return null;
  return {
    value: read.value,
    waits: needsSecondPerson(name, value as never, read.value as never),
    delays: DELAYS.includes(name) && Number(read.value) > Number(value),
  };
}

/** Changes a setting, or asks another super admin to. */
export function SettingDialog({ setting, onClose }: { setting: Setting; onClose(): void }) {
  const { name } = setting;
  const { label, text } = SETTINGS[name];
  const form = useEditForm({
    record: setting,
    valuesOf: ({ value }): { draft: Draft } => ({ draft: draftOf(name, value) }),
    findErrors: ({ draft }) => {
      const read = readDraft(name, draft);
      return 'error' in read ? { draft: read.error } : null;
    },
    changesOf: ({ draft }, seen): { set?: SettingInput['set'] } => {
      const change = changeOf(seen, draft);
      return change ? { set: { [name]: change.value } } : {};
    },
    send: ({ set = {}, version }, keyOf) => {
      const body = { set, version };
      return call('PUT /api/platform-settings', { body, idempotencyKey: keyOf(body) });
    },
    done: ({ data }, { draft }) =>
      changeOf(setting, draft)?.waits
        ? { title: 'Change requested', text: `${label}: another super admin has to approve it` }
        : { title: 'Setting changed', text: `${label}: ${settingText(name, data.value)}` },
    reads: settingsKeys.all,
    onDone: onClose,
    onClose,
  });
  const { draft } = form.values;
  const change = changeOf(form.seen, draft);
  return (
    <FormDialog
      form={form}
      title={label}
      text={text}
      confirm={change?.waits ? 'Request change' : 'Save'}
      busy="Saving..."
      onClose={onClose}
    >
      <SettingFields
        name={name}
        draft={draft}
        bound={boundText(setting)}
        error={form.errors.draft}
        onChange={(typed) => form.set('draft', typed)}
      />
      {change?.waits && (
        <p className="rounded-md bg-caution-soft p-2 text-xs">
          This{' '}
          {change.delays
            ? 'delays payouts or approvals by more than three days'
            : 'loosens a protection of money'}
          : it applies once another super admin has approved it.
        </p>
      )}
    </FormDialog>
  );
}
