import { foldName, type Organization } from '../../../domain/organizations/organization.ts'
import type { Settings } from '../../../ports/store.ts'
import { asItIs, Table } from '../table.ts'

type SettingsRow = Settings & { readonly singleton: true }

export const settingsTable = new Table<Settings, SettingsRow>({
  name: 'settings',
  key: ['singleton'],
  columns: { singleton: 'plain', environment: 'plain', createdAt: 'timestamp' },
  flatten: (settings) => ({ singleton: true, ...settings }),
  build: ({ environment, createdAt }) => ({ environment, createdAt }),
})

export const organizationTable = new Table<Organization>({
  name: 'organizations',
  key: ['organizationId'],
  columns: {
    organizationId: 'plain',
    name: 'plain',
    investorMail: 'plain',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  extra: { foldedName: (organization) => foldName(organization.name) },
  flatten: asItIs,
  build: asItIs,
})
