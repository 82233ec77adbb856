import t, { type Test } from 'tap'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationDelete from '../../commands/organization/delete.ts'
import OrganizationDisable from '../../commands/organization/disable.ts'
import OrganizationEnable from '../../commands/organization/enable.ts'
import OrganizationList from '../../commands/organization/list.ts'
import OrganizationRename from '../../commands/organization/rename.ts'
import OrganizationShow from '../../commands/organization/show.ts'
import OrganizationUpdate from '../../commands/organization/update.ts'
import {
  type CommandContext,
  noSeed,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'

withAndWithoutService(t, { seed: noSeed, test })

async function test(t: Test, { run }: CommandContext<unknown>): Promise<void> {
  const created = await run(OrganizationCreate, 'Demo Bank', '--json')
  t.equal(created.exitCode, 0)
  t.match(created.json, { organization_id: /^[0-9a-f-]{36}$/, name: 'Demo Bank' })
  const id = created.json.organization_id

  await t.test('organization names are unique without regard to case', async (t) => {
    const again = await run(OrganizationCreate, 'demo bank', '--json')
    t.equal(again.exitCode, 4)
    t.match(again.json, { error: { code: 'NAME_TAKEN', message: String } })
  })

  await t.test('an organization is found by its id or its exact name', async (t) => {
    for (const argument of [id, 'Demo Bank']) {
      const shown = await run(OrganizationShow, argument, '--json')
      t.equal(shown.json.organization_id, id)
    }
    const missing = await run(OrganizationShow, 'Demo', '--json')
    t.equal(missing.exitCode, 3)
    t.equal(missing.json.error.code, 'ORGANIZATION_NOT_FOUND')
  })

  await t.test('e-mails to investors can be turned off and on', async (t) => {
    const off = await run(OrganizationUpdate, 'Demo Bank', '--no-investor-mail', '--json')
    t.equal(off.json.investor_mail, false)
    const on = await run(OrganizationUpdate, 'Demo Bank', '--investor-mail', '--json')
    t.equal(on.json.investor_mail, true)
    const neither = await run(OrganizationUpdate, 'Demo Bank')
    t.equal(neither.exitCode, 2)
  })

  await t.test('self-service can be turned on and off, and nothing else changes', async (t) => {
    await run(OrganizationUpdate, 'Demo Bank', '--no-investor-mail')
    const allowed = await run(OrganizationUpdate, 'Demo Bank', '--self-service', '--json')
    t.match(allowed.json, { self_service: true, investor_mail: false })
    const shown = await run(OrganizationShow, 'Demo Bank')
    t.match(shown.stdout, /^self_service +yes$/m)
    const refused = await run(OrganizationUpdate, 'Demo Bank', '--no-self-service', '--json')
    t.match(refused.json, { self_service: false, investor_mail: false })
  })

  await t.test('an organization is renamed, disabled and enabled', async (t) => {
    const renamed = await run(OrganizationRename, 'Demo Bank', 'Example Bank', '--json')
    t.match(renamed.json, { organization_id: id, name: 'Example Bank' })
    t.match((await run(OrganizationDisable, 'Example Bank', '--json')).json, { disabled: true })
    t.match((await run(OrganizationShow, id)).stdout, /^disabled +yes$/m)
    t.match((await run(OrganizationEnable, id, '--json')).json, { disabled: false })
    t.equal((await run(OrganizationDisable, 'Demo Bank')).exitCode, 3)
    await run(OrganizationRename, id, 'Demo Bank')
  })

  await t.test('an organization is deleted only after a confirmation', async (t) => {
    await run(OrganizationCreate, 'Leaving Bank')
    const refused = await run(OrganizationDelete, 'Leaving Bank', '--json')
    t.equal(refused.exitCode, 4)
    t.match(refused.json.error, { code: 'CONFIRMATION_REQUIRED', message: '0 clients' })
    t.equal((await run(OrganizationDelete, 'Leaving Bank', '--dry-run')).exitCode, 0)
    t.equal((await run(OrganizationShow, 'Leaving Bank')).exitCode, 0)
    const deleted = await run(OrganizationDelete, 'Leaving Bank', '--yes', '--json')
    t.match(deleted.json, { name: 'Leaving Bank' })
    t.equal((await run(OrganizationShow, 'Leaving Bank')).exitCode, 3)
  })

  await t.test('lists print all rows, and --limit shortens them', async (t) => {
    await run(OrganizationCreate, 'Nordlicht Versicherung')
    const all = await run(OrganizationList, '--json')
    t.strictSame(
      all.json.map((row: { name: string }) => row.name),
      ['Demo Bank', 'Nordlicht Versicherung'],
    )
    const one = await run(OrganizationList, '--limit', '1', '--json')
    t.equal(one.json.length, 1)
  })

  await t.test('the text output is a table', async (t) => {
    const listed = await run(OrganizationList)
    t.match(listed.stdout, /^ID +NAME +INVESTOR E-MAIL\n/)
    t.match(listed.stdout, `${id}  Demo Bank`)
    t.equal(listed.stderr, '')
  })
}
