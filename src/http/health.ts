import type { H3, H3Plugin } from 'h3'
import { Problem } from '../domain/problem.ts'
import type { Service } from '../usecases/service.ts'

/** For whoever decides to restart a process, or to send requests to it. No authentication. */
export function healthRoutes({ store }: Service, isDraining = () => false): H3Plugin {
  return (app: H3) => {
    app.get('/livez', () => ({ status: 'alive' }))
    app.get('/readyz', async () => {
      if (isDraining()) throw new Problem('SERVICE_UNAVAILABLE', 'The service is stopping.')
      const health = await store.health()
      if (!health.ready) throw unready(health)
      return { status: 'ready' }
    })
  }
}

/** The cause names files of the machine, so it goes to the log only. */
function unready({ cause, isFinal }: { readonly cause: unknown; readonly isFinal: boolean }) {
  const advice = isFinal ? restart : ''
  return new Problem('SERVICE_UNAVAILABLE', `The store takes no writes.${advice}`, { cause })
}

const restart = ' Mend what the log says, then restart the service.'
