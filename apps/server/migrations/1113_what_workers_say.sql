-- What only workers write, and people rely on: addresses of the seed, heartbeats, and what checks found.

-- compatible: only workers of the version before write these
REVOKE UPDATE (deposit_address) ON pool_member FROM copydesk_app;
GRANT UPDATE (deposit_address) ON pool_member TO copydesk_worker;
-- compatible: as above
REVOKE INSERT, UPDATE, DELETE ON worker_heartbeat, check_result FROM copydesk_app;
GRANT INSERT, UPDATE, DELETE ON worker_heartbeat, check_result TO copydesk_worker;
-- compatible: the API of the version before asks for a check, and workers make it
REVOKE INSERT, UPDATE, DELETE ON audit_verification FROM copydesk_app;
GRANT INSERT (requested_by) ON audit_verification TO copydesk_app;
GRANT INSERT, UPDATE, DELETE ON audit_verification TO copydesk_worker;
-- compatible: a resolution is replaced, and never rewritten
REVOKE UPDATE ON harvest_resolution FROM copydesk_app;
GRANT UPDATE (replaced_at) ON harvest_resolution TO copydesk_app;
