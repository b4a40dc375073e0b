import { saveText } from '../../../../lib/api/download.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { Button } from '../../../../ui/form/button.tsx';

/** Backup codes, shown once: to copy or to save. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const text = codes.join('\n');
  const copyAll = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ tone: 'positive', title: 'Backup codes copied' }),
      () => toast({ tone: 'negative', title: 'Copy failed' }),
    );
  return (
    <div className="space-y-4">
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-md bg-canvas p-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={copyAll}>Copy all</Button>
        <Button onClick={() => saveText(`${text}\n`, 'copydesk-backup-codes.txt')}>Download</Button>
        <Button look="primary" onClick={onDone}>
          I have stored them
        </Button>
      </div>
    </div>
  );
}
