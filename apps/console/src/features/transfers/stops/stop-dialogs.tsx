import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../../ui/form/reason-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { type Lift, stopKeys } from './stop-query.ts';

interface ReasonDialogProps {
  title: string;
  text: string;
  label: string;
  confirm: string;
  busy: string;
  isDanger?: boolean;
  send(reason: string): Promise<unknown>;
  done: { title: string; text: string };
  onClose(): void;
}

function ReasonDialog({ label, send, done, onClose, ...words }: ReasonDialogProps) {
  const form = useDialogForm({
    values: { reason: '' },
    findErrors: ({ reason }) => (reason.trim() === '' ? { reason: 'Enter a reason' } : null),
    send: ({ reason }) => send(reason.trim()),
    done: () => done,
    reads: stopKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} {...words} onClose={onClose}>
      <ReasonField label={label} />
    </FormDialog>
  );
}

/** Asks for a reason and for nothing else: a stop has to hold at once. */
export function StopDialog({ onClose }: { onClose(): void }) {
  return (
    <ReasonDialog
      title="Stop all payments"
      text="Nothing is signed from now on, in any community or pool, except cancellations. Deposits are still booked. Two super admins are needed to lift the stop."
      label="Reason"
      confirm="Stop all payments"
      busy="Stopping..."
      isDanger
      send={(reason) => call('POST /api/payments/stop', { body: { reason } })}
      done={{ title: 'Payments are stopped', text: 'Nothing is sent until two super admins lift the stop' }}
      onClose={onClose}
    />
  );
}

export function LiftDialog({ stopId, onClose }: { stopId: string; onClose(): void }) {
  return (
    <ReasonDialog
      title="Lift the stop"
      text="Payments stay stopped until another super admin confirms. Transfers that wait are then checked again, signed and sent."
      label="Why payments may go on"
      confirm="Ask for confirmation"
      busy="Asking..."
      send={(reason) => call('POST /api/payments/stop/lifts', { body: { stop_id: stopId, reason } })}
      done={{ title: 'Lifting waits for confirmation', text: 'Another super admin has to confirm it' }}
      onClose={onClose}
    />
  );
}

interface DecideDialogProps {
  lift: Lift;
  act: 'confirm' | 'withdraw';
  isOwn: boolean;
  onClose(): void;
}

export function DecideLiftDialog({ lift, act, isOwn, onClose }: DecideDialogProps) {
  const { id, reason, requested_by } = lift;
  const verb = act === 'confirm' ? 'Confirm' : isOwn ? 'Withdraw' : 'Decline';
  const decide = useAct({
    reads: stopKeys.all,
    send: () =>
      act === 'confirm'
        ? call('POST /api/payments/stop/lifts/{id}/confirm', { params: { id } })
        : call('POST /api/payments/stop/lifts/{id}/withdraw', { params: { id } }),
    done: () =>
      act === 'confirm'
        ? { title: 'Lifting confirmed', text: 'A worker checks it and lifts the stop within seconds' }
        : { title: 'Payments stay stopped', text: `Lifting was ${isOwn ? 'withdrawn' : 'declined'}` },
    onDone: onClose,
  });
  return (
    <AskDialog
      title={act === 'confirm' ? 'Lift the stop' : `${verb} lifting the stop`}
      text={
        act === 'confirm'
          ? `Payments go on: “${reason}”. Ask ${requested_by} by another channel whether the request is theirs.`
          : `Payments stay stopped. ${requested_by} asked to lift the stop: “${reason}”.`
      }
      confirm={act === 'confirm' ? 'Lift the stop' : verb}
      busy="Saving..."
      isDanger={act === 'withdraw'}
      {...decide}
      onClose={onClose}
    />
  );
}
