COMMENT ON COLUMN transfer_stop.origin IS
  'console: a super admin; command: on the machine of a worker; alert: a worker that set too many transfers aside, or that found more transactions of a wallet on the chain than in this database.';
