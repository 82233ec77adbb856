/** The version of the digests by which operators find persons. */
export const searchVersion = `
alter table settings add column search_version integer;
select add_collection('settings', is_kept => true);
`
