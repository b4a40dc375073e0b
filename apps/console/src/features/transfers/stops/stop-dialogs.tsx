import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { useForm } from '../../../lib/use-form.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { ReasonField } from '../../../ui/form/reason-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
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

function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, label, confirm, busy, isDanger = false, send, done, onClose } = props;
  const client = useQueryClient();
  const form = useForm<{ reason: string }>(
    ['reason'],
    async ({ reason }) => {
      await send(reason.trim()).finally(() => client.invalidateQueries({ queryKey: stopKeys.all }));
      toast({ tone: 'positive', ...done });
      onClose();
    },
    ({ reason }) => (reason.trim() === '' ? { reason: 'Enter a reason' } : null),
  );
  return (
    <Dialog title={title} text={text} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="space-y-4">
        <ReasonField label={label} form={form} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} aria-disabled={form.isBusy}>
            {form.isBusy ? busy : confirm}
          </Button>
        </div>
      </form>
    </Dialog>
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
