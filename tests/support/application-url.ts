import pg from 'pg';

const LOGIN = 'test_application';
const PASSWORD = 'application';

/** The database as a login of the application: an API refuses that of the owner. All tests of a cluster share it. */
export async function applicationUrlOf(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // Several files make it at the same moment.
    await client.query(`DO $$ BEGIN
        CREATE ROLE ${LOGIN} LOGIN PASSWORD '${PASSWORD}' IN ROLE copydesk_app;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END $$`);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  url.username = LOGIN;
  url.password = PASSWORD;
  return url.href;
}
