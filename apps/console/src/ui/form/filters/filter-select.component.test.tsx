import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showPart } from '../../../testing/show-screen.tsx';
import { FilterSelect } from './filter-select.tsx';

test('a name typed before the names are there is kept until it can be chosen', async () => {
  const onChange = vi.fn();
  const face = { label: 'Community', value: undefined, onChange };
  const { rerender } = await showPart(<FilterSelect {...face} options={[]} />);
  await page.getByRole('button', { name: 'Community' }).click();
  const box = page.getByRole('combobox', { name: 'Community' });
  await expect.element(box).toHaveFocus();
  await userEvent.keyboard('delta{Enter}');
  await expect.element(box).toHaveValue('delta');
  await expect.element(page.getByText('Nothing matches')).toBeVisible();
  await rerender(
    <FilterSelect
      {...face}
      options={[
        { value: 'a', label: 'Atlas' },
        { value: 'd', label: 'Delta' },
      ]}
    />,
  );
  await expect.element(page.getByRole('option')).toHaveTextContent('Delta');
  await userEvent.keyboard('{Enter}');
  expect(onChange).toHaveBeenCalledExactlyOnceWith('d');
  expect(box.elements()).toEqual([]);
});
