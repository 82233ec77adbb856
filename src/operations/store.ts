import { object, optional } from 'superstruct'
import type { StoreCheck } from '../ports/store-admin.ts'
import type { Service } from '../usecases/service.ts'
import { text } from '../wire/fields.ts'
import { renameKeys } from '../wire/problems.ts'
import { operation } from './operation.ts'

/** A backup is a stream of bytes, so it is not an operation. */
export const storeOperations = {
  'store.check': operation({
    input: object({}),
    run: async ({ storeAdmin }) => renderCheck(await storeAdmin.check()),
  }),
  'store.compact': operation({ input: object({}), run: compact }),
  'store.rekey': operation({
    input: object({ new_encryption_key: optional(text()) }),
    run: async ({ storeAdmin }, { new_encryption_key }) => {
      const { renewed, damaged, isResumed, isOwn } = await storeAdmin.rekey(new_encryption_key)
      return {
        renewed_records: renewed,
        damaged_values: damaged,
        resumed: isResumed,
        key_in_store: isOwn,
      }
    },
  }),
}

export function renderCheck({
  records,
  tornBytes,
  sealedValues,
  problems,
  moved,
  end,
}: StoreCheck) {
  return {
    sound: problems.length === 0,
    records: renameKeys(records),
    torn_bytes: tornBytes,
    sealed_values: sealedValues,
    problems,
    moved,
    journal_end: end ?? null,
  }
}

async function compact({ storeAdmin }: Service) {
  const bytesBefore = totalBytes(storeAdmin)
  await storeAdmin.compact()
  return {
    bytes_before: bytesBefore,
    bytes_after: totalBytes(storeAdmin),
    records: renameKeys(storeAdmin.stats()?.records ?? {}),
  }
}

function totalBytes(storeAdmin: Service['storeAdmin']): number {
  const stats = storeAdmin.stats()
  return stats ? stats.journalBytes + stats.snapshotBytes : 0
}
