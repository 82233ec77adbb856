import type { H3Plugin } from 'h3'
import { authenticationOf } from './context.ts'
import { renderClientInfo } from './shapes/me.ts'

/** Needs no scope: a partner can always ask what its token is good for. */
export function meRoutes(): H3Plugin {
  return (app) => {
    app.get('/v1/me', (event) => renderClientInfo(authenticationOf(event)))
  }
}
