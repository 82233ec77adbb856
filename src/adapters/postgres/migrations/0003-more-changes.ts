export const moreChanges = `
insert into changes (name, version) values ('organizations', 1), ('webhook_endpoints', 1);
`
