ALTER TABLE money_order VALIDATE CONSTRAINT money_order_act_check;
