-- compatible: the index payable_due begins with the same column and has the same condition.
DROP INDEX payable_to_pay_out;
