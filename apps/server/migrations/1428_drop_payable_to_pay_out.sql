-- compatible: the index payable_due has the same columns and condition.
DROP INDEX payable_to_pay_out;
