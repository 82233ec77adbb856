import type { Middleware } from 'h3'
import { Problem } from '../../domain/problem.ts'
import { authenticationOf } from '../context.ts'

export function requirePartner(): Middleware {
  return (event) => {
    if (authenticationOf(event).kind === 'partner') return
    throw new Problem('FORBIDDEN', 'This client is not a partner. No scope changes that.')
  }
}
