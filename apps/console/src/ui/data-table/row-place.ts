/** Where a row stands among others, for those who hear it and for how it looks. */
export interface RowPlace {
  /** In a tree of rows 1 for the outermost, one more for what each holds. */
  level?: 1 | 2 | 3;
  /** Undefined: there is nothing to unfold. */
  isExpanded?: boolean;
  isSelected?: boolean;
  /** Its detail is open beside the table. */
  isCurrent?: boolean;
}
