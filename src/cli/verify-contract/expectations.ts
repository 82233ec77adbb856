import type { Answer } from './pinned-contract.ts'
import type { Expectation, Known } from './step.ts'

type Body = Readonly<Record<string, unknown>>

/** What a body has to hold, made of what is known; what is not known is not compared. */
export function expectValues(expected: (known: Known) => Body): Expectation {
  return ({ body }, known) => {
    for (const [name, value] of Object.entries(expected(known))) {
      const found = (body as Body)[name]
      if (value !== undefined && found !== value) return differing(name, found, value)
    }
    return undefined
  }
}

function differing(name: string, found: unknown, value: unknown): string {
  return `/${name} is ${JSON.stringify(found)} instead of ${JSON.stringify(value)}`
}

/** What was made on the way has to stand in the list. */
export function expectListed(name: string, wanted: string): Expectation {
  return ({ body }, known) => {
    const value = known[wanted]
    const { items } = body as { readonly items: readonly Body[] }
    const isListed = value === undefined || items.some((item) => item[name] === value)
    return isListed ? undefined : `/items lacks ${name} ${JSON.stringify(value)}`
  }
}

export function expectReplay({ headers }: Answer): string | undefined {
  return headers.get('idempotent-replayed') === 'true'
    ? undefined
    : 'header Idempotent-Replayed is not true, though the key came before'
}

/** What holds for every answer, whatever was asked. */
export const always: readonly Expectation[] = [
  expectOwnRequestId,
  expectTraceId,
  expectTypeOfCode,
  expectTotal,
]

function expectOwnRequestId({ headers, requestId }: Answer): string | undefined {
  return headers.get('x-request-id') === requestId
    ? undefined
    : 'header X-Request-Id is not the one that was sent'
}

function expectTraceId({ headers, body }: Answer): string | undefined {
  const { trace_id } = (body ?? {}) as Body
  const isSame = trace_id === undefined || trace_id === headers.get('x-request-id')
  return isSame ? undefined : '/trace_id is not the X-Request-Id of the answer'
}

function expectTypeOfCode({ body }: Answer): string | undefined {
  const { type, code } = (body ?? {}) as Body
  if (typeof type !== 'string' || typeof code !== 'string') return undefined
  const isSame = type.endsWith(`/errors/${code.toLowerCase().replaceAll('_', '-')}`)
  return isSame ? undefined : `/type is not that of ${code}`
}

function expectTotal({ body }: Answer): string | undefined {
  const { items, total_items: total, page, has_next } = (body ?? {}) as Body
  if (!Array.isArray(items) || typeof total !== 'number') return undefined
  const isAll = page === 1 && has_next === false
  const holds = isAll ? total === items.length : total >= items.length
  const where = isAll ? ' on the only page' : ''
  return holds ? undefined : `/total_items is ${total}, but /items holds ${items.length}${where}`
}
