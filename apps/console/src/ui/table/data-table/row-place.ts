/** The place of a row among others, for screen readers and for its style. */
export interface RowPlace {
  /** In a tree 1 for the outermost rows, one more for each nested level. */
  level?: 1 | 2 | 3;
  /** Undefined: the row cannot be unfolded. */
  isExpanded?: boolean;
  isSelected?: boolean;
  /** A placeholder for a row that has not loaded yet. */
  isLoading?: boolean;
  /** Its detail is open beside the table. */
  isCurrent?: boolean;
}
