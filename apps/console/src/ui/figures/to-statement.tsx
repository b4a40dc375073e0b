import type { StatementOwner } from '@copydesk/domain/ledger';
import { Link } from '@tanstack/react-router';

/** The way to the statement of accounts of something, for super admins. */
export function ToStatement({ kind, id }: { kind: StatementOwner; id: string }) {
  return (
    <Link
      to="/statements/$ownerKind/$ownerId"
      params={{ ownerKind: kind, ownerId: id }}
      className="rounded px-1 font-medium text-accent hover:underline"
    >
      Statement
    </Link>
  );
}
