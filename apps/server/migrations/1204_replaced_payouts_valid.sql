ALTER TABLE payout VALIDATE CONSTRAINT payout_replaced_by_id_fkey;
