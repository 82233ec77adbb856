// Ids are unguessable, but it is the owner that makes a record visible.
export function ownedBy<Owned extends { readonly organizationId: string }>(
  organizationId: string,
  record: Owned | undefined,
): Owned | undefined {
  return record?.organizationId === organizationId ? record : undefined
}
