import { expect, test } from 'vitest';
import { stoppedWords } from './deposit-reading-notice.tsx';

test('the recorded reason becomes a sentence', () => {
  expect(stoppedWords('a final block has changed')).toBe('A final block has changed.');
  expect(stoppedWords(`block 99 was 0x${'ab'.repeat(32)} and is 0x${'cd'.repeat(32)}`)).toBe(
    'Block 99 was 0xabababab… and is 0xcdcdcdcd….',
  );
  expect(stoppedWords('The node does not answer.')).toBe('The node does not answer.');
});
