import { relative, resolve, sep } from 'node:path'
import { invalid } from '../config/invalid.ts'
import type { Config } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { readEncryptionKey, salvageStoreFiles } from '../open-service.ts'
import { renderByKind } from '../operations/store.ts'

interface ToSalvage {
  /** Without one, the store in the data directory. */
  readonly backup: string | undefined
  readonly to: string
}

export async function salvageStore(config: Config, { backup, to }: ToSalvage) {
  const { database, dataDirectory: directory } = config
  if (database && backup === undefined) {
    throw new Problem('NOT_FOR_DATABASES', 'Salvage a database with the tools of PostgreSQL.')
  }
  if (backup === undefined && isWithin(directory, to)) {
    throw invalid('--to has to be outside of the data directory, which is left as it is.')
  }
  const { records, lost, leftOut, corrected, uncarried } = await salvageStoreFiles({
    source: backup === undefined ? { directory } : { backup },
    to: resolve(to),
    encryptionKey: await readEncryptionKey(config),
  })
  return {
    from: backup ?? directory,
    data_dir: resolve(to),
    complete: [lost, leftOut, corrected, uncarried].every(({ length }) => length === 0),
    records: renderByKind(records),
    lost,
    left_out: leftOut,
    corrected,
    cannot_settle: uncarried,
  }
}

function isWithin(directory: string, path: string): boolean {
  return relative(directory, resolve(path)).split(sep)[0] !== '..'
}
