import type { Holding } from '../../../domain/holdings/holding.ts'
import type { StoredInvestor } from '../../../domain/investors/investor.ts'
import { asItIs, Table } from '../table.ts'

export const investorTable = new Table<StoredInvestor>({
  name: 'investors',
  key: ['organizationId', 'investorId'],
  columns: {
    organizationId: 'plain',
    investorId: 'plain',
    partnerCustomerRef: 'plain',
    sealedPersonalData: 'plain',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  flatten: asItIs,
  build: asItIs,
})

export const holdingTable = new Table<Holding>({
  name: 'holdings',
  // By its own id: another one of the same cooperative is refused by the primary key.
  key: ['id'],
  keeps: 'organizationId',
  columns: {
    organizationId: 'plain',
    investorId: 'plain',
    cooperativeId: 'plain',
    id: 'plain',
    shares: 'plain',
    pendingShares: 'plain',
    firstAcquiredAt: 'timestamp',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  flatten: asItIs,
  build: asItIs,
})
