import { boolean, object, optional } from 'superstruct'
import { atMost } from '../machine/time.ts'
import type { JournalPosition, Rekeyed, StoreCheck, StoreMove } from '../ports/store-admin.ts'
import type { Service } from '../usecases/service.ts'
import { rekeyStore } from '../usecases/store/rekey-store.ts'
import * as given from '../wire/fields.ts'
import * as schemas from '../wire/json-schema.ts'
import { renameKeys } from '../wire/problems.ts'
import {
  bool,
  count,
  countOrNull,
  field,
  instant,
  nestedOrNull,
  text,
  valuesOf,
  view,
} from '../wire/view.ts'
import { operation } from './operation.ts'

type Counts = Readonly<Record<string, number>>

/** The numbers of records of each kind. */
function recordsField<Source>(of: (source: Source) => Counts) {
  return field(schemas.byName(schemas.count(''), 'Number of records, by kind.'), (source: Source) =>
    renameKeys(of(source)),
  )
}

export const storeMove = view<StoreMove>()('Store move', {
  to: text('Directory, or address of a database without user and password.', (it) => it.to),
  at: instant('Time of the copy.', (it) => it.at),
})

const journalPosition = view<JournalPosition>()('Journal position', {
  journal: count('Number of the journal.', (it) => it.journal),
  bytes: count('Length of the journal.', (it) => it.bytes),
})

export const storeCheck = view<StoreCheck>()('Store check', {
  sound: bool('True if no problem was found.', (it) => it.problems.length === 0),
  records: recordsField((it: StoreCheck) => it.records),
  torn_bytes: count(
    'Number of bytes in an incomplete last line, whose change was never acknowledged.',
    (it) => it.tornBytes,
  ),
  sealed_values: countOrNull(
    'Number of encrypted values that were checked; null without a key.',
    (it) => it.encryptedValues,
  ),
  problems: valuesOf(
    schemas.text(''),
    'Problems that were found, each in one sentence.',
    (it) => it.problems,
  ),
  moved: nestedOrNull(storeMove, 'Place to which the store was copied.', (it) => it.moved),
  rekeying: bool('Whether `store rekey` is running or was interrupted.', (it) => it.isRekeying),
  journal_end: nestedOrNull(
    journalPosition,
    'Recorded length of the last journal; null for a database.',
    (it) => it.end ?? null,
  ),
})

interface Rekeying extends Rekeyed {
  readonly isFinished: boolean
}

const rekeying = view<Rekeying>()('Rekeyed store', {
  finished: bool(
    'Whether all keys have been replaced; false while the service still replaces them.',
    (it) => it.isFinished,
  ),
  renewed_records: count('Number of records that were encrypted again.', (it) => it.renewed),
  damaged_values: valuesOf(
    schemas.text(''),
    'Values that neither key decrypts. The command did not change them.',
    (it) => it.damaged,
  ),
  resumed: bool('Whether the command finished an interrupted key change.', (it) => it.isResumed),
  key_in_store: bool('Whether the store itself keeps the new key.', (it) => it.isOwn),
})

interface Compacted {
  readonly bytesBefore: number
  readonly bytesAfter: number
  readonly records: Counts
}
const compacted = view<Compacted>()('Compacted store', {
  bytes_before: count(
    'Size of the store files before the compaction, in bytes.',
    (it) => it.bytesBefore,
  ),
  bytes_after: count(
    'Size of the store files after the compaction, in bytes.',
    (it) => it.bytesAfter,
  ),
  records: recordsField((it: Compacted) => it.records),
})

/** A backup is a stream of bytes, so it is not an operation. */
export const storeOperations = {
  'store.check': operation({
    role: 'administrator',
    summary: 'Check the whole store: its checksums, references and encrypted values.',
    input: object({}),
    answer: storeCheck,
    run: ({ storeAdmin }) => storeAdmin.check(),
  }),
  'store.compact': operation({
    role: 'administrator',
    summary: 'Compact the files of the store.',
    problems: ['NOT_FOR_DATABASES'],
    input: object({}),
    answer: compacted,
    run: async ({ storeAdmin }) => {
      const bytesBefore = totalBytes(storeAdmin)
      await storeAdmin.compact()
      const records = storeAdmin.stats()?.records ?? {}
      return { bytesBefore, bytesAfter: totalBytes(storeAdmin), records }
    },
  }),
  'store.rekey': operation({
    role: 'administrator',
    summary: 'Replace the encryption keys of the store while the service runs.',
    note: 'Afterwards the previous keys cannot decrypt or confirm anything. If the operation is interrupted, the service finishes it.',
    problems: ['ENCRYPTION_KEY_REFUSED'],
    input: object({
      new_encryption_key: optional(given.text()),
      is_begun: optional(boolean()),
    }),
    answer: rekeying,
    run: rekey,
  }),
}

/** A caller gives up on a service that says nothing for five minutes. */
const longestAnswerMs = 120_000

/** Answers before a long change is finished. With `is_begun`, the caller then waits for the same change. */
async function rekey(
  service: Service,
  { new_encryption_key: key, is_begun }: { new_encryption_key?: string; is_begun?: boolean },
): Promise<Rekeying> {
  const begun = is_begun ? service.storeAdmin.lastRekey : undefined
  const change = begun ?? rekeyStore(service, key)
  if (await atMost(longestAnswerMs, change)) return { isFinished: true, ...(await change) }
  // The service logs the end of the change, or its failure and that it continues.
  change.catch(() => undefined)
  const isOwn = key === undefined
  return { isFinished: false, renewed: 0, damaged: [], isResumed: false, isOwn }
}

function totalBytes(storeAdmin: Service['storeAdmin']): number {
  const stats = storeAdmin.stats()
  return stats ? stats.journalBytes + stats.snapshotBytes : 0
}
