-- A token of the hosted identity service names the organisation in which its person works, by an id of the service.
CREATE TABLE identity.hosted_organization (
  hosted_id text PRIMARY KEY CHECK (hosted_id <> ''),
  provider_id uuid
);
COMMENT ON TABLE identity.hosted_organization IS
  'Which organisation at the hosted identity service is which provider, as read with the memberships of a person. It '
  'narrows the rights of whoever works in it, and gives none.';
COMMENT ON COLUMN identity.hosted_organization.provider_id IS
  'Null: the organisation belongs to no provider, and working in it changes nothing here.';

GRANT SELECT, INSERT, UPDATE ON identity.hosted_organization TO copydesk_app;
