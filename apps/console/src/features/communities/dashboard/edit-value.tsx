import Pencil from 'lucide-react/icons/pencil';
import type { ReactNode } from 'react';
import { SETTING_TITLES, type Setting } from '../settings/setting-fields.ts';

interface EditValueProps {
  setting: Setting;
  community: string;
  onEdit(): void;
  children: ReactNode;
}

/** A value in a table that opens the dialog to change it. */
export function EditValue({ setting, community, onEdit, children }: EditValueProps) {
  const name = SETTING_TITLES[setting].toLowerCase();
  return (
    <button
      type="button"
      title={`Edit ${name}`}
      onClick={onEdit}
      className="group/edit -mx-1.5 inline-flex h-5 min-w-0 max-w-full items-center gap-1.5 rounded px-1.5 tabular-nums hover:bg-subtle"
    >
      <span className="truncate">{children}</span>
      <span className="sr-only">
        , edit {name} of {community}
      </span>
      <Pencil
        aria-hidden="true"
        className="size-3 shrink-0 text-muted opacity-60 group-hover/edit:opacity-100 group-focus-visible/edit:opacity-100"
      />
    </button>
  );
}
