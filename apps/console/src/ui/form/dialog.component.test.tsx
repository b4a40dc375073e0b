import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { showPart } from '../../testing/show-screen.tsx';
import { toast } from '../feedback/toast-store.ts';
import { AskDialog } from './ask-dialog.tsx';
import { Button } from './button.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { TextField } from './text-field.tsx';
import { useAct } from './use-act.ts';

const LONG = 'W'.repeat(200);

interface Asked {
  title?: string;
  isBusy?: boolean;
  error?: string | null;
  onConfirm?: () => void;
}

/** A question that a button opens, with a field for the reason. */
function Question({ title = 'Archive it?', isBusy = false, error = null, onConfirm = () => {} }: Asked) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Archive</Button>
      {isOpen && (
        <AskDialog
          title={title}
          text="It leaves the list."
          confirm="Archive it"
          busy="Archiving..."
          {...{ isBusy, error, onConfirm }}
          onClose={() => setOpen(false)}
        >
          <TextField label="Reason" name="reason" hint="Kept in the audit" />
        </AskDialog>
      )}
    </>
  );
}

const opener = page.getByRole('button', { name: 'Archive', exact: true });
const dialog = page.getByRole('dialog');
const reason = dialog.getByRole('textbox', { name: 'Reason' });

test('the first field has the focus, Tab stays within, and Escape gives the focus back', async () => {
  await showPart(<Question />);
  await opener.click();
  await expect.element(reason).toHaveFocus();
  await expect.element(dialog).toHaveAccessibleDescription('It leaves the list.');
  const names: (string | null)[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    await userEvent.keyboard('{Tab}');
    const focused = document.activeElement;
    expect(dialog.element().contains(focused)).toBe(true);
    names.push(focused?.getAttribute('aria-label') ?? focused?.textContent ?? null);
  }
  expect(names).toEqual(['Back', 'Archive it', 'Close', '', 'Back']);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

/** A menu with an item that opens a dialog, and one that cannot be chosen. */
function Row() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Menu label="Actions" trigger={<Button>Actions</Button>}>
        <MenuItem icon={Pencil} text="Rename" onSelect={() => setOpen(true)} />
        <MenuItem icon={Pencil} text="Delete" disabled="It has traders" onSelect={() => setOpen(true)} />
      </Menu>
      {isOpen && (
        <AskDialog
          title="Rename"
          text="Its name."
          confirm="Save"
          busy="Saving..."
          isBusy={false}
          error={null}
          onConfirm={() => {}}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

test('an item of a menu that opened it is gone by then: its button has the focus', async () => {
  await showPart(<Row />);
  const actions = page.getByRole('button', { name: 'Actions' });
  await actions.click();
  // What cannot be chosen says why, and opens nothing.
  const refused = page.getByRole('menuitem', { name: 'Delete' });
  await expect.element(refused).toHaveTextContent('It has traders');
  await expect.element(refused).toHaveAttribute('aria-disabled', 'true');
  // The menu moves the focus a moment after the key.
  await userEvent.keyboard('{End}');
  await expect.element(refused).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard('{Home}');
  await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(actions).toHaveFocus();
});

test('Escape closes the dialog, and leaves the message that came after it', async () => {
  await showPart(<Question />);
  await opener.click();
  await expect.element(dialog).toBeVisible();
  toast({ tone: 'negative', title: 'Please select at least one recipient' });
  const message = page.getByText('Please select at least one recipient', { exact: true });
  await expect.element(message).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(message).toBeVisible();
});

test('Enter in a field confirms, once: not while the act runs', async () => {
  let confirmed = 0;
  const onConfirm = () => {
    confirmed += 1;
  };
  const { rerender } = await showPart(<Question onConfirm={onConfirm} />);
  await opener.click();
  await userEvent.keyboard('again{Enter}');
  expect(confirmed).toBe(1);
  await rerender(<Question onConfirm={onConfirm} isBusy />);
  await expect.element(dialog.getByRole('button', { name: 'Archiving...' })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await dialog.getByRole('button', { name: 'Archiving...' }).click({ force: true });
  expect(confirmed).toBe(1);
});

test('a refusal is shown in the dialog, which keeps what was typed', async () => {
  const { rerender } = await showPart(<Question />);
  await opener.click();
  await reason.fill('two of them');
  await rerender(<Question error="It has traders." />);
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('It has traders.');
  await expect.element(reason).toHaveValue('two of them');
  await expectAccessible();
});

test.each([320, 390, 1440])('at %d px the longest title breaks, and nothing sticks out', async (width) => {
  await showPart(<Question title={LONG} error={LONG} />, { width });
  await opener.click();
  await expect.element(dialog).toBeVisible();
  const { left, right } = dialog.element().getBoundingClientRect();
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(width);
  expect(dialog.element().scrollWidth).toBe(dialog.element().clientWidth);
});

test('a field names its problem to screen readers in place of the hint', async () => {
  const { rerender } = await showPart(<TextField label="Name" name="name" hint="As on the contract" />);
  const field = page.getByRole('textbox', { name: 'Name' });
  await expect.element(field).toHaveAccessibleDescription('As on the contract');
  await rerender(<TextField label="Name" name="name" hint="As on the contract" error="Enter a name" />);
  await expect.element(field).toHaveAccessibleDescription('Enter a name');
  await expect.element(field).toBeInvalid();
});

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

test.each([
  [` ${ADDRESS}`, ADDRESS],
  [`\u200b${ADDRESS}\r\n`, ADDRESS],
  [`\u2066${ADDRESS}\u2069`, ADDRESS],
  // What is too long stays whole, and is refused with what is left.
  [` ${ADDRESS}00`, `${ADDRESS}00`],
])('a pasted address loses what pasting added, and none of its digits: %j', async (pasted, left) => {
  await showPart(<TextField label="Address" name="address" maxLength={ADDRESS.length} />);
  const field = page.getByRole('textbox', { name: 'Address' });
  await field.click();
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', pasted);
  field
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  await expect.element(field).toHaveValue(left);
});

/** An act over a list that is read again afterwards: its second read never ends. */
function Act({ send }: { send: () => Promise<unknown> }) {
  const [reads] = useState(() => [{ count: 3 }]);
  const { data } = useQuery({
    queryKey: ['list'],
    queryFn: () => reads.pop() ?? new Promise<never>(() => {}),
  });
  const act = useAct({ send, done: () => ({ title: 'Archived' }), reads: ['list'], onDone: () => {} });
  return (
    data && (
      <AskDialog title="Archive" text="" confirm="Archive" busy="Archiving..." {...act} onClose={() => {}} />
    )
  );
}

const showAct = (send: () => Promise<unknown>) =>
  showPart(
    <QueryClientProvider client={new QueryClient()}>
      <Act send={send} />
    </QueryClientProvider>,
  );

test('a refusal shows at once, also while what it changed is still being read again', async () => {
  await showAct(() => Promise.reject(new Error('The other one was faster')));
  await dialog.getByRole('button', { name: 'Archive' }).click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  await expect
    .element(dialog.getByRole('button', { name: 'Archive' }))
    .toHaveAttribute('aria-disabled', 'false');
});

test('two clicks within a moment send once', async () => {
  let sent = 0;
  await showAct(() => {
    sent += 1;
    return new Promise<never>(() => {});
  });
  const button = dialog.getByRole('button', { name: 'Archive' });
  await expect.element(button).toBeVisible();
  const element = button.element() as HTMLElement;
  element.click();
  element.click();
  await expect.element(dialog.getByRole('button', { name: 'Archiving...' })).toBeVisible();
  expect(sent).toBe(1);
});
