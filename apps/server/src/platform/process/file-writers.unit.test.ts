import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findForeignWriter, listWritable } from './file-writers.ts';

const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const isRoot = me.uid === 0;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'copydesk-writers-'));
  mkdirSync(join(folder, 'src/deep'), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, 'src/deep/code.ts'), '', { mode: 0o644 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const find = (depth = 9, path = folder) => findForeignWriter([{ path, depth }], me);
const code = () => join(folder, 'src/deep/code.ts');

test('what root or this user alone may write has no foreign writer, and neither has what is missing', () => {
  expect(find()).toBeNull();
  expect(find(9, join(folder, 'missing'))).toBeNull();
});

test('a file that every user may write is found as deep as is looked', () => {
  chmodSync(code(), 0o666);
  expect(find()).toBe(`every user may write ${code()}`);
  expect(find(1)).toBeNull();
});

test('a folder that others may write counts for everything below it', () => {
  chmodSync(join(folder, 'src'), 0o777);
  expect(find(0, code())).toBe(`every user may write ${join(folder, 'src')}`);
  // As in /tmp, others add to a sticky folder and change nothing.
  chmodSync(join(folder, 'src'), 0o1777);
  expect(find(0, code())).toBeNull();
});

test('a link is followed by whoever owns its folder: its mode means nothing', () => {
  symlinkSync(code(), join(folder, 'link'));
  expect(find()).toBeNull();
});

test.runIf(isRoot)('another owner, and a group that is neither root nor our own', () => {
  chownSync(code(), 1234, 0);
  expect(find()).toBe(`${code()} belongs to user 1234`);
  expect(findForeignWriter([{ path: folder, depth: 9 }], { uid: 1234, gid: 1234 })).toBeNull();
  chownSync(code(), 0, 1234);
  expect(find()).toBeNull();
  chmodSync(code(), 0o664);
  expect(find()).toBe(`group 1234 may write ${code()}`);
  expect(findForeignWriter([{ path: folder, depth: 9 }], { uid: 0, gid: 1234 })).toBeNull();
});

test.runIf(!isRoot)('a process says what it may write itself', () => {
  expect(listWritable([folder, '/', join(folder, 'missing')])).toEqual([folder]);
});
