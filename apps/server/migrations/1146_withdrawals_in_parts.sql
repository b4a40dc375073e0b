-- Everything of a member that is above the largest payout is paid in parts, each a withdrawal of its own.
ALTER TABLE pool_withdrawal ADD COLUMN part_of uuid;
ALTER TABLE pool_withdrawal ADD CONSTRAINT pool_withdrawal_part_of_fkey
  FOREIGN KEY (part_of) REFERENCES pool_withdrawal (id) ON DELETE RESTRICT NOT VALID;
COMMENT ON COLUMN pool_withdrawal.part_of IS
  'The request for everything that it goes on with, once the parts before it are reserved. NULL: it is a request itself.';

-- What became of requests and deposits is written by workers. The API asks, orders, cancels, and takes back what is
-- reserved. Whoever could write the transfer of a paid one could hide what one person had ordered.
-- compatible: the version before writes none of these from an API but when it takes back a reservation: that waits
REVOKE INSERT, UPDATE (attempt, available_units, refusal, to_address, transfer_id) ON pool_withdrawal FROM copydesk_app;
GRANT INSERT (pooled_account_id, member_id, amount_units, request_key, requested_by, order_id)
  ON pool_withdrawal TO copydesk_app;
GRANT INSERT, UPDATE (attempt, available_units, refusal, to_address, transfer_id) ON pool_withdrawal TO copydesk_worker;
-- compatible: as above
REVOKE UPDATE (state, transfer_id, cycle_id, ended_at) ON pool_deposit FROM copydesk_app;
GRANT UPDATE (state, transfer_id, cycle_id, ended_at) ON pool_deposit TO copydesk_worker;
