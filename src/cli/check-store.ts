import { checkStoreUnopened } from '../open-service.ts'
import { renderCheck } from '../operations/store.ts'
import { type ConnectOptions, findService } from './connect.ts'

/** What is damaged cannot be opened: without a service, it is read as it is. */
export async function checkStore(options: ConnectOptions) {
  const service = await findService(options)
  if (service) return service.call('store.check', {})
  return renderCheck(await checkStoreUnopened(options.config))
}
