import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { CommunityWithSettings } from '../communities-queries.ts';
import { RemovalDialog } from './removal-dialog.tsx';
import type { Removal } from './removal-texts.ts';

interface RemovalPanelProps {
  community: CommunityWithSettings;
  onDeleted(): void;
}

export function RemovalPanel({ community, onDeleted }: RemovalPanelProps) {
  const [asked, setAsked] = useState<Removal | null>(null);
  return (
    <Panel title="Archive or delete">
      <p className="text-muted">
        An archived community takes no new traders and leaves the leaderboard. It must have no AUM and owe
        nothing, and can be restored. Only a community without traders and without any records can be deleted.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {community.is_archived ? (
          <Button onClick={() => setAsked('restore')}>
            <ArchiveRestore className="size-4" aria-hidden="true" />
            Restore
          </Button>
        ) : (
          <Button onClick={() => setAsked('archive')}>
            <Archive className="size-4" aria-hidden="true" />
            Archive
          </Button>
        )}
        <Button look="danger" onClick={() => setAsked('delete')}>
          <Trash2 className="size-4" aria-hidden="true" />
          Delete
        </Button>
      </div>
      {asked && (
        <RemovalDialog
          removal={asked}
          community={community}
          onClose={() => setAsked(null)}
          onDeleted={onDeleted}
        />
      )}
    </Panel>
  );
}
