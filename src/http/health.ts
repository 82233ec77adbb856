import type { H3, H3Plugin } from 'h3'
import { Problem } from '../domain/problem.ts'
import type { Service } from '../usecases/service.ts'

/** For supervisors that restart a process, and for proxies that send requests to it. These routes need no token. */
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

/** The cause may contain paths of this machine, so it only goes to the log. */
function unready({ cause, isFinal }: { readonly cause: unknown; readonly isFinal: boolean }) {
  const advice = isFinal ? restart : ''
  return new Problem('SERVICE_UNAVAILABLE', `The store cannot accept writes.${advice}`, { cause })
}

const restart = ' Fix the problem that the log names, then restart the service.'
