-- 1071 has its place, with the type of the invoices.
DROP INDEX invoice_part_unknown;
