import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api/api-error.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { communityQuery } from '../communities-queries.ts';
import { EditSettingDialog } from '../settings/edit-setting-dialog.tsx';
import { editTitle, SETTING_MEANS, type Setting } from '../settings/setting-fields.ts';

interface LoadedSettingDialogProps {
  community: { id: string; name: string };
  setting: Setting;
  onClose(): void;
}

/**
 * The dialog of a setting, opened from a list. The split is checked and previewed against the community's providers,
 * which no list has.
 */
export function LoadedSettingDialog({ community: { id, name }, setting, onClose }: LoadedSettingDialogProps) {
  const { data, error, refetch } = useQuery(communityQuery(id));
  const whose = <p className="truncate font-medium">{name}</p>;
  if (data)
    return (
      <EditSettingDialog community={data} setting={setting} onClose={onClose}>
        {whose}
      </EditSettingDialog>
    );
  return (
    <Dialog title={editTitle(setting)} text={SETTING_MEANS[setting]} onClose={onClose}>
      {whose}
      <div className="mt-3">
        {error ? (
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        ) : (
          <div role="status" className="space-y-2">
            <span className="sr-only">Loading community...</span>
            <span className="skeleton block h-3 w-28" />
            <span className="skeleton block h-8" />
            <span className="skeleton ms-auto block h-8 w-32" />
          </div>
        )}
      </div>
    </Dialog>
  );
}
