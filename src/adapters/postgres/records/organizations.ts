import type { Records } from '../../../ports/store.ts'
import type { Session } from '../session.ts'
import {
  organizationTable as organizations,
  settingsTable as settings,
} from '../tables/organizations.ts'

type OrganizationRow = Parameters<typeof organizations.build>[0]

const selectSettings = `select ${settings.selected} from settings t`
const select = `select ${organizations.selected} from organizations t`
const byId = `${select} where t.organization_id = $1`
const byName = `${select} where t.folded_name = $1`
const inOrder = `${select} order by t.sequence`

export function settingsOf(session: Session): Records['settings'] {
  return {
    get: async () => {
      session.lockName('settings')
      const question = { table: 'settings', text: selectSettings, values: [] }
      return settings.one(await session.remember(question))
    },
    put: async (record) => void (await settings.put(session, record)),
  }
}

export function organizationsOf(session: Session): Records['organizations'] {
  const look = (text: string, values: readonly string[]) =>
    session.remember<OrganizationRow>({ table: 'organizations', text, values, isCounted: true })
  return {
    get: async (organizationId) => organizations.one(await look(byId, [organizationId])),
    findByName: async (foldedName) => {
      const rows = await look(byName, [foldedName])
      if (rows.length === 0) session.noteAbsent('organizations_name')
      return organizations.one(rows)
    },
    list: async () => organizations.all(await look(inOrder, [])),
    put: async (record) => {
      await session.requireUnchanged('organizations')
      await organizations.put(session, record, true)
    },
  }
}
