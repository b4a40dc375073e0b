ALTER TABLE bulk_act VALIDATE CONSTRAINT bulk_act_act_check;
