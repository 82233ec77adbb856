import type { H3, H3Event, Middleware } from 'h3'
import { Problem } from '../../domain/problem.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Stands last, so that below /v1 nobody learns without a token which paths there are. */
export function requireRoute(app: H3): Middleware {
  return (event) => {
    if (event.context.matchedRoute) return
    const allowed = methods.filter((method) => hasRoute(app, event, method))
    if (allowed.length === 0) throw notFound()
    event.context.allowedMethods = allowed
    throw methodNotAllowed(allowed)
  }
}

/** h3 says only whether a request has a route, so it is asked about the same request with another method. */
function hasRoute(app: H3, event: H3Event, method: string): boolean {
  const other: H3Event = Object.create(event, { req: { value: { method } } })
  return app['~findRoute'](other) !== undefined
}

function notFound(): Problem {
  return new Problem('NOT_FOUND', 'There is nothing at this path.')
}

function methodNotAllowed(allowed: readonly string[]): Problem {
  return new Problem('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')}.`)
}
