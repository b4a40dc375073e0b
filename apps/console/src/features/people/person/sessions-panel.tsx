import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { SessionTable } from '../../../ui/feedback/session-table.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PersonDetail } from '../people-queries.ts';

/** The browsers in which a person is signed in. */
export function SessionsPanel({ sessions, onEnd }: { sessions: PersonDetail['sessions']; onEnd(): void }) {
  return (
    <Panel
      title="Sessions"
      count={sessions.length}
      flush
      actions={
        <Button className="h-7!" disabled={sessions.length === 0} onClick={onEnd}>
          End all
        </Button>
      }
    >
      {sessions.length === 0 ? (
        <MessagePanel
          icon={MonitorSmartphone}
          level={3}
          small
          title="No sessions"
          text="This account is not signed in anywhere."
        />
      ) : (
        <SessionTable sessions={sessions} />
      )}
    </Panel>
  );
}
