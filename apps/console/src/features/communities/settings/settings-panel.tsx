import Pencil from 'lucide-react/icons/pencil';
import { type ReactNode, useState } from 'react';
import { languageName } from '../../../lib/format/language-name.ts';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Percentage } from '../../../ui/figures/percentage.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { CommunityWithSettings } from '../communities-queries.ts';
import { EditSettingDialog } from './edit-setting-dialog.tsx';
import { OwnerDialog } from './owner-dialog.tsx';
import { SETTING_TITLES, type Setting, SPLIT_TIP } from './setting-fields.ts';

function EditButton({ label, onEdit }: { label: string; onEdit(): void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onEdit}
      className="-my-1 -me-1.5 flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
    >
      <Pencil className="size-3.5" aria-hidden="true" />
    </button>
  );
}

function Editable({ setting, onEdit, children }: { setting: Setting; onEdit(): void; children: ReactNode }) {
  return (
    <span className="flex items-center justify-end gap-1.5">
      {children}
      <EditButton label={`Edit ${SETTING_TITLES[setting].toLowerCase()}`} onEdit={onEdit} />
    </span>
  );
}

/** The settings of a community: three with a dialog of their own, and its owner. */
export function SettingsPanel({
  community,
  referrerNote,
}: {
  community: CommunityWithSettings;
  /** Below the referrer's address. */
  referrerNote?: ReactNode;
}) {
  const [edited, setEdited] = useState<Setting | null>(null);
  const close = () => setEdited(null);
  const edit = (setting: Setting) => ({ setting, onEdit: () => setEdited(setting) });
  const [isOwnerAsked, setOwnerAsked] = useState(false);
  const { referrer_wallet_address: referrer, owner } = community;
  return (
    <Panel title="Settings">
      <div className="relative">
        <Facts>
          <Fact label="Split percentage">
            <Editable {...edit('split_percentage')}>
              <InfoTip about="the split percentage" text={SPLIT_TIP} />
              <Percentage value={community.split_percentage} className="font-semibold" />
            </Editable>
          </Fact>
          <Fact label="Minimum balance">
            <Editable {...edit('minimum_balance')}>
              <Money amount={community.minimum_balance} as="limit" />
            </Editable>
          </Fact>
          <Fact label="Referrer">
            <Editable {...edit('referrer_wallet_address')}>
              {referrer ? (
                <Address address={referrer} what="referrer address" />
              ) : (
                <span className="text-muted">Not set</span>
              )}
            </Editable>
            {referrerNote}
          </Fact>
          <Fact label="Owner">
            <span className="flex items-center justify-end gap-1.5">
              <span className="min-w-0">
                {owner.name ?? <span className="text-muted">Not set</span>}
                <span className="block text-xs text-muted">
                  {owner.telegram_id
                    ? `Telegram ${owner.telegram_id}, ${languageName(owner.language ?? 'en')}`
                    : 'No Telegram: not notified'}
                </span>
              </span>
              <EditButton label="Edit name and owner" onEdit={() => setOwnerAsked(true)} />
            </span>
          </Fact>
        </Facts>
      </div>
      {edited && <EditSettingDialog key={edited} community={community} setting={edited} onClose={close} />}
      {isOwnerAsked && <OwnerDialog community={community} onClose={() => setOwnerAsked(false)} />}
    </Panel>
  );
}
