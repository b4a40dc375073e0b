-- How long a step of a payout usually takes is read from the transfers of its kind that became final last.
CREATE INDEX chain_intent_by_end ON chain_intent (kind, ended_at DESC) WHERE state = 'final';
