-- compatible: the index payable_to_pay_out has the same columns and condition.
DROP INDEX payable_pending;
