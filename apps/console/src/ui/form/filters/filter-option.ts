export interface FilterOption {
  value: string;
  label: string;
  note?: string;
}
