import {
  COLUMN_PX,
  DATE_FORMATS,
  DENSITIES,
  findTimeZone,
  LISTS,
  NUMBER_FORMATS,
  START_SCREENS,
  THEMES,
} from '@copydesk/domain/settings';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { seenVersion } from '../fields.ts';
import { refined } from '../refined.ts';

const MOST_COLUMNS = 40;
/** The database takes 4,096 bytes, in which every comma and colon has a space behind it. */
const LONGEST_LAYOUT = 3_600;

const column = z.string().regex(/^[a-z_]{1,40}$/, 'Invalid input');
const columns = refined(z.array(column).max(MOST_COLUMNS), (ids) => new Set(ids).size === ids.length);
const width = z.int().min(COLUMN_PX.least).max(COLUMN_PX.most);

const layout = z.strictObject({
  order: columns.describe("ids of columns in the person's order; others stand as the list has them"),
  hidden: columns,
  widths: refined(z.record(column, width), (widths) => Object.keys(widths).length <= MOST_COLUMNS).describe(
    `pixels by column, of at most ${MOST_COLUMNS}`,
  ),
  pinned: column
    .nullable()
    .describe('the last column that stays in view beside the others; null: as the list has it'),
});

const isStorable = ({ order, hidden, widths, pinned }: z.infer<typeof layout>) =>
  JSON.stringify({ order, hidden, widths, pinned }).length <= LONGEST_LAYOUT;

export const listLayout = refined(layout.meta({ id: 'ListLayout' }), isStorable);

const keptLayout = layout.extend({ version: seenVersion }).meta({ id: 'KeptLayout' });

const arranged = refined(
  layout.extend({
    version: seenVersion
      .nullable()
      .optional()
      .describe(
        'of the layout that was changed; null: the list had none; without it, any layout is replaced',
      ),
  }),
  isStorable,
);

const choices = {
  numbers: z.enum(NUMBER_FORMATS),
  dates: z.enum(DATE_FORMATS),
  density: z.enum(DENSITIES),
  start_screen: z.enum(START_SCREENS),
  theme: z.enum(THEMES),
  shortcuts: z.boolean(),
};

export const personSettings = z
  .object({ time_zone: z.string().describe('a name of the IANA database, or UTC'), ...choices })
  .meta({ id: 'PersonSettings' });

/** The layouts of the lists that the person arranged. */
export const listLayouts = z.partialRecord(z.enum(LISTS), keptLayout);

const timeZone = refined(z.string().max(64), (name) => findTimeZone(name) !== null, {
  error: 'Choose a time zone',
})
  // Stored under its one name.
  .overwrite((name) => findTimeZone(name) ?? name)
  .describe('a name of the IANA database, or UTC; its present name is stored');

const byList = z.strictObject({ list: z.enum(LISTS) });

export const personSettingCalls = entries({
  'PATCH /api/me/settings': {
    summary: 'Changes settings of the own account: those that are named, and no others',
    permission: 'signed-in',
    recentAuth: false,
    body: z.strictObject({ time_zone: timeZone, ...choices }).partial(),
    answer: ok(personSettings),
    errors: ['person_required'],
    perMinute: 60,
  },
  'PUT /api/me/lists/{list}': {
    summary: 'Arranges the columns of a list for the own account',
    permission: 'signed-in',
    recentAuth: false,
    params: byList,
    body: arranged,
    answer: ok(keptLayout),
    errors: ['person_required', 'changed_meanwhile'],
    perMinute: 60,
  },
  'DELETE /api/me/lists/{list}': {
    summary: 'Shows a list to the own account as the product has it',
    permission: 'signed-in',
    recentAuth: false,
    params: byList,
    answer: ok(z.null()),
    errors: ['person_required'],
    perMinute: 60,
  },
});
