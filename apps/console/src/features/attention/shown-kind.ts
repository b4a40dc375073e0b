import type { AttentionKind } from '@copydesk/domain/attention';
import type { LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { AttentionItem } from './attention-queries.ts';

/** What ends an item: done where it is read, or on the screen that it leads to. */
export type NextAct =
  | { label: string; to: LinkProps }
  | { label: string; Dialog: ComponentType<{ item: AttentionItem; onClose(): void }> };

export interface ShownKind {
  /** The cause in one sentence, which goes on after the name of what it is about. */
  words(item: AttentionItem): string;
  act(item: AttentionItem): NextAct;
}

/** A kind without words or an act does not compile. */
export type ShownKinds = Readonly<Record<AttentionKind, ShownKind>>;
