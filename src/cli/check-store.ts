import { checkDatabase, checkStoreFiles } from '../open-service.ts'
import { renderCheck } from '../operations/store.ts'
import { type ConnectOptions, findService } from './connect.ts'

/** What is damaged cannot be opened: without a service, the files are read as they are. */
export async function checkStore(options: ConnectOptions) {
  const service = await findService(options)
  if (service) return service.call('store.check', {})
  const { dataDirectory, database } = options.config
  return renderCheck(await (database ? checkDatabase(database) : checkStoreFiles(dataDirectory)))
}
