import pg from 'pg';

const PASSWORD = 'application';

/** The database as the login of an API, which refuses that of the owner. All tests of a cluster share it. */
export const applicationUrlOf = (ownerUrl: string) => urlOf(ownerUrl, 'test_application', 'copydesk_app');

/** The same as the login of a worker. */
export const workerUrlOf = (ownerUrl: string) => urlOf(ownerUrl, 'test_worker', 'copydesk_worker');

async function urlOf(ownerUrl: string, login: string, role: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // Several files make it at the same moment.
    await client.query(`DO $$ BEGIN
        CREATE ROLE ${login} LOGIN PASSWORD '${PASSWORD}' IN ROLE ${role};
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END $$`);
    // Who drops the database ends its connections.
    await client.query(`GRANT ${login} TO CURRENT_USER`);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  url.username = login;
  url.password = PASSWORD;
  return url.href;
}
