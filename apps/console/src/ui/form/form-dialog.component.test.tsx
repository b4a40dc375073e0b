import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ApiError } from '../../lib/api/api-error.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { showPart } from '../../testing/show-screen.tsx';
import { Button } from './button.tsx';
import { CheckField } from './check-field.tsx';
import { Dialog } from './dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { SelectField } from './select-field.tsx';
import { TextField } from './text-field.tsx';
import type { KeyOf } from './use-act.ts';
import { useDialogForm, useEditForm } from './use-dialog-form.ts';

const EMPTY = { name: '', code: '', kind: 'a', days: ['mon'], isOpen: false };
type Values = typeof EMPTY;
type Send = (values: Values, keyOf: KeyOf) => Promise<unknown>;

const RIGHT = { name: 'Ada', code: '77' };
const sent: Values[] = [];
beforeEach(() => void sent.splice(0));

/** A form with a field of each kind. Opened by a button. */
function Opened({ send }: { send: Send }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>New</Button>
      {isOpen && <New send={send} onClose={() => setOpen(false)} />}
    </>
  );
}

function New({ send, onClose }: { send: Send; onClose(): void }) {
  const form = useDialogForm({
    values: EMPTY,
    findErrors: ({ name, code, days, isOpen }) => ({
      ...(isOpen && days.length === 0 && { form: 'An open one needs a day' }),
      ...(code.trim() === '' && { code: 'Enter a code' }),
      ...(name.trim() === '' && { name: 'Enter a name' }),
    }),
    send: (values, keyOf) => {
      sent.push(values);
      return send(values, keyOf);
    },
    done: () => ({ title: 'Created' }),
    reads: ['list'],
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="New"
      text="One of each."
      confirm="Create"
      busy="Creating..."
      onClose={onClose}
    >
      <TextField label="Name" name="name" />
      <TextField label="Code" name="code" hint="Digits" />
      <SelectField
        label="Kind"
        name="kind"
        options={[
          { value: 'a', label: 'A' },
          { value: 'b', label: 'B' },
        ]}
      />
      <CheckField label="Monday" name="days" value="mon" />
      <CheckField label="Tuesday" name="days" value="tue" />
      <CheckField label="Open" name="isOpen" />
      <p role="status">{form.values.isOpen ? `Open to ${form.values.name}` : 'Closed'}</p>
    </FormDialog>
  );
}

const dialog = page.getByRole('dialog', { name: 'New' });
const field = (name: string) => dialog.getByRole('textbox', { name });
const create = dialog.getByRole('button', { name: 'Create' });

async function open(send: Send = async () => {}) {
  await showPart(
    <QueryClientProvider client={new QueryClient()}>
      <Opened send={send} />
    </QueryClientProvider>,
  );
  await page.getByRole('button', { name: 'New' }).click();
}

async function fill() {
  await field('Name').fill(RIGHT.name);
  await field('Code').fill(RIGHT.code);
}

const refusal = (details: { path: string; message: string }[]) =>
  new ApiError({ code: 'invalid_request', status: 400, message: 'It was refused', details });

test('fields need their names alone, and Enter sends what is in them', async () => {
  await open();
  await expect.element(field('Name')).toHaveFocus();
  await fill();
  await dialog.getByRole('combobox').selectOptions('B');
  await dialog.getByRole('checkbox', { name: 'Tuesday' }).click();
  await dialog.getByRole('checkbox', { name: 'Open' }).click();
  await expect.element(dialog.getByRole('status')).toHaveTextContent('Open to Ada');
  await field('Code').click();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('Created', { exact: true })).toBeVisible();
  expect(sent).toEqual([{ ...RIGHT, kind: 'b', days: ['mon', 'tue'], isOpen: true }]);
});

test('what is wrong is shown at its field, the first of which has the focus, and nothing is sent', async () => {
  await open();
  await create.click();
  await expect.element(field('Name')).toHaveFocus();
  await expect.element(field('Name')).toHaveAccessibleDescription('Enter a name');
  await expect.element(field('Code')).toBeInvalid();
  await expectAccessible();
  await field('Name').fill('Ada');
  await expect.element(field('Name')).toBeValid();
  await expect.element(field('Code')).toHaveAccessibleDescription('Enter a code');
  expect(sent).toEqual([]);
});

test('details of a refusal are shown at their fields, and the form keeps what was typed', async () => {
  const refused = refusal([
    { path: 'body.code', message: 'It is taken' },
    { path: 'body.name', message: 'Too long' },
  ]);
  await open(() => Promise.reject(refused));
  await fill();
  await create.click();
  await expect.element(field('Code')).toHaveAccessibleDescription('It is taken');
  await expect.element(field('Name')).toHaveAccessibleDescription('Too long');
  await expect.element(field('Name')).toHaveFocus();
  await expect.element(field('Code')).toHaveValue(RIGHT.code);
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^$/);
  await field('Code').fill('78');
  await expect.element(field('Code')).toHaveAccessibleDescription('Digits');
});

test('what no field shows is said by the form', async () => {
  await open(() => Promise.reject(refusal([{ path: 'body.owner', message: 'Unknown' }])));
  await fill();
  await create.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('It was refused');
  await expect.element(create).toHaveAttribute('aria-disabled', 'false');
  await expect.element(field('Name')).toHaveValue(RIGHT.name);
  await expectAccessible();
  // What is missing now has nothing to do with what was refused before.
  await field('Name').fill('');
  await create.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^$/);
});

test('what is wrong with several fields is said by the form until they are right', async () => {
  await open();
  await fill();
  await dialog.getByRole('checkbox', { name: 'Monday' }).click();
  await dialog.getByRole('checkbox', { name: 'Open' }).click();
  await create.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('An open one needs a day');
  expect(sent).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'Tuesday' }).click();
  await create.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent).toMatchObject([{ days: ['tue'], isOpen: true }]);
});

test('two clicks within a moment send once, and so does Enter while it is sent', async () => {
  await open(() => new Promise<never>(() => {}));
  await fill();
  const element = create.element() as HTMLElement;
  element.click();
  element.click();
  await expect.element(dialog.getByRole('button', { name: 'Creating...' })).toBeVisible();
  await field('Code').click();
  await userEvent.keyboard('{Enter}');
  expect(sent).toHaveLength(1);
});

test('a repeat has the key of the request that got no answer, and other values have another', async () => {
  const keys: string[] = [];
  await open(async (values, keyOf) => {
    keys.push(keyOf(values));
    throw new ApiError({ code: 'network_error', status: 0, message: 'No answer' });
  });
  await fill();
  for (const times of [1, 2]) {
    await create.click();
    await expect.poll(() => keys).toHaveLength(times);
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('No answer');
  }
  await field('Code').fill('78');
  await create.click();
  await expect.poll(() => keys).toHaveLength(3);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('what a password manager fills in without an event is sent', async () => {
  await open();
  await fill();
  (field('Code').element() as HTMLInputElement).value = '99';
  await create.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent).toMatchObject([{ code: '99' }]);
});

test('Escape closes the form and gives the focus back', async () => {
  await open();
  await fill();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'New' })).toHaveFocus();
  expect(sent).toEqual([]);
});

/** Asks for another sign-in over the form, as the first call of an act may. */
function SignInBetween() {
  const [proof, setProof] = useState<(() => void) | null>(null);
  const send = () => new Promise<void>((resolve) => setProof(() => resolve));
  return (
    <>
      <Opened send={send} />
      {proof && (
        <Dialog title="Confirm it is you" text="" onClose={() => {}}>
          <Button
            onClick={() => {
              setProof(null);
              proof();
            }}
          >
            Confirm
          </Button>
        </Dialog>
      )}
    </>
  );
}

test('a sign-in in between leaves what was typed, and the act goes on', async () => {
  await showPart(
    <QueryClientProvider client={new QueryClient()}>
      <SignInBetween />
    </QueryClientProvider>,
  );
  await page.getByRole('button', { name: 'New' }).click();
  await fill();
  await create.click();
  const proof = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect.element(proof).toBeVisible();
  const typed = document.querySelector<HTMLInputElement>('[name=name]');
  expect(typed?.value).toBe(RIGHT.name);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(page.getByText('Created', { exact: true })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent).toMatchObject([RIGHT]);
});

interface Record {
  name: string;
  version: string;
}

/** The record that the server has. */
let stored: Record;
const changes: object[] = [];

function Edited() {
  const [isOpen, setOpen] = useState(true);
  const { data } = useQuery({ queryKey: ['list'], queryFn: async () => stored });
  return data && isOpen && <Edit record={data} onClose={() => setOpen(false)} />;
}

/** What the person does while the screen is drawn with a newer record. */
let atNewer = () => {};

function Edit({ record, onClose }: { record: Record; onClose(): void }) {
  useLayoutEffect(() => {
    if (record.version !== '1') atNewer();
  }, [record.version]);
  const form = useEditForm({
    record,
    valuesOf: ({ name }) => ({ name }),
    changesOf: ({ name }, seen) => (name.trim() === seen.name ? {} : { name: name.trim() }),
    send: async (body) => {
      changes.push(body);
      if (body.version !== stored.version)
        throw new ApiError({ code: 'changed_meanwhile', status: 409, message: 'Ada has changed it.' });
    },
    done: () => ({ title: 'Saved' }),
    reads: ['list'],
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Edit"
      text=""
      confirm="Save"
      busy="Saving..."
      leave="Cancel"
      onClose={onClose}
    >
      <TextField label="Name" name="name" />
    </FormDialog>
  );
}

const edit = page.getByRole('dialog', { name: 'Edit' });
const save = edit.getByRole('button', { name: 'Save' });

async function openEdit() {
  stored = { name: 'Ada', version: '1' };
  atNewer = () => {};
  changes.splice(0);
  await showPart(
    <QueryClientProvider client={new QueryClient()}>
      <Edited />
    </QueryClientProvider>,
  );
  await expect.element(edit.getByRole('textbox')).toHaveValue('Ada');
}

test('without changes nothing is sent, and that is said', async () => {
  await openEdit();
  await edit.getByRole('textbox').fill(' Ada ');
  await save.click();
  await expect.element(page.getByText('No changes to save', { exact: true })).toBeVisible();
  await expect.element(edit).not.toBeInTheDocument();
  expect(changes).toEqual([]);
});

test('a change of another person in between is said beside what was typed, which is kept', async () => {
  await openEdit();
  await edit.getByRole('textbox').fill('Grace');
  stored = { name: 'Ada Lovelace', version: '2' };
  await save.click();
  await expect.element(edit.getByRole('alert')).toHaveTextContent('Ada has changed it.');
  await expect.element(edit.getByRole('status')).toHaveTextContent('Changed meanwhile: “Ada Lovelace”.');
  await expect.element(edit.getByRole('textbox')).toHaveValue('Grace');
  await edit.getByRole('button', { name: 'Take it' }).click();
  await expect.element(edit.getByRole('textbox')).toHaveValue('Ada Lovelace');
  await expect.element(edit.getByRole('status')).not.toBeInTheDocument();
  await edit.getByRole('textbox').fill('Grace');
  await save.click();
  await expect.element(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(changes).toEqual([
    { name: 'Grace', version: '1' },
    { name: 'Grace', version: '2' },
  ]);
});

test('a letter typed just as the change of another person arrives is kept', async () => {
  await openEdit();
  const box = edit.getByRole('textbox');
  await box.fill('Grac');
  atNewer = () => {
    const input = box.element() as HTMLInputElement;
    input.setRangeText('e', 4, 4, 'end');
    input.dispatchEvent(new InputEvent('input', { bubbles: true, data: 'e' }));
  };
  stored = { name: 'Ada Lovelace', version: '2' };
  await save.click();
  await expect.element(edit.getByRole('status')).toHaveTextContent('Changed meanwhile: “Ada Lovelace”.');
  await expect.element(box).toHaveValue('Grace');
  await save.click();
  await expect.poll(() => changes.at(-1)).toEqual({ name: 'Grace', version: '2' });
});
