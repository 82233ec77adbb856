/** Settled orders of a partner or a cooperative, by the time of their settlement. A placed order has no entry. */
export const settledLists = `
create index share_purchases_settled_by_organization on share_purchases (organization_id, updated_at, sequence)
  where status = 'settled';
create index share_purchases_settled_by_cooperative on share_purchases (cooperative_id, updated_at, sequence)
  where status = 'settled';
create index share_purchases_settled_by_both on share_purchases (organization_id, cooperative_id, updated_at, sequence)
  where status = 'settled';
`
