-- How long a step of a payout usually takes is read from the transfers of its kind that became final last.
CREATE INDEX transfer_by_end ON transfer (kind, ended_at DESC) WHERE state = 'final';
