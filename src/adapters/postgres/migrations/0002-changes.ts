export const changes = `
-- What instances keep of these tables is good as long as the version stands.
create table changes (
  name text collate "C" primary key,
  version bigint not null
);
insert into changes (name, version) values ('clients', 1), ('signing_keys', 1);
`
