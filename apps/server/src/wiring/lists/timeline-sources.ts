import type { TimelineSource } from '../../core/timeline/timeline-source.ts';
import { storyOfInvoices } from '../../features/invoices/timeline.views.ts';
import { messagesOfStory } from '../../features/messages/timeline.views.ts';
import { storyOfShares } from '../../features/payouts/timeline.views.ts';

/** What each feature knows of the way of money. */
export const TIMELINE_SOURCES: readonly TimelineSource[] = [storyOfInvoices, messagesOfStory, storyOfShares];
