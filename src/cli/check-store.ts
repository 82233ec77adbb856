import { Problem } from '../domain/problem.ts'
import { checkStoreUnopened, readEndOfBackup } from '../open-service.ts'
import { renderCheck } from '../operations/store.ts'
import { type ConnectOptions, findService } from './connect.ts'

type Check = ReturnType<typeof renderCheck>

/**
 * What is damaged cannot be opened: without a service, it is read as it is.
 * @param backup has to have nothing that the store lacks
 */
export async function checkStore(options: ConnectOptions, backup?: string): Promise<Check> {
  const { config } = options
  if (backup !== undefined && config.database) {
    throw new Problem('NOT_FOR_DATABASES', 'A database has no backup that it can be compared with.')
  }
  const known = backup && (await readEndOfBackup(backup, config.dataDirectory))
  const service = await findService(options)
  const check = service
    ? await service.call('store.check', {})
    : renderCheck(await checkStoreUnopened(config))
  const { journal_end: end } = check
  if (!known || !end) return check
  const isBehind =
    end.journal < known.journal || (end.journal === known.journal && end.bytes < known.bytes)
  if (!isBehind) return check
  const problem = `Its end is missing: the store ends in journal ${end.journal} at byte ${end.bytes}, and the backup ${backup} reaches to journal ${known.journal}, byte ${known.bytes}. Restore that backup, or a later one.`
  return { ...check, sound: false, problems: [...check.problems, problem] }
}
