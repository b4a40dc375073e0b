import type { ReactNode } from 'react';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { SETTING_TITLES, type Setting, SPLIT_TIP } from './setting-fields.ts';

const TEXTS: Record<Setting, string> = {
  split_percentage: SPLIT_TIP,
  minimum_balance:
    'The balance that a trader of this community needs. Traders below it are marked; nothing else happens to them.',
  referrer_wallet_address:
    'Where 1% of every invoice of this community goes. Leave it empty to remove the referrer.',
};

interface EditSettingDialogProps {
  setting: Setting;
  onClose(): void;
  /** The form, or its state while it loads. */
  children: ReactNode;
}

/** Changes one setting. Shows its meaning, its present value, and for the split a preview. */
export function EditSettingDialog({ setting, onClose, children }: EditSettingDialogProps) {
  return (
    <Dialog title={`Edit ${SETTING_TITLES[setting]}`} text={TEXTS[setting]} onClose={onClose}>
      {children}
    </Dialog>
  );
}
