import { escapeToOneLine } from '../../domain/text.ts'
import type { ExchangeRow } from '../../wire/bench.ts'
import type { ScenarioContext } from './context.ts'
import { Mismatch } from './mismatch.ts'

export async function listExchanges(
  { service }: Pick<ScenarioContext, 'service'>,
  query: { readonly operation?: string; readonly limit?: number },
): Promise<readonly ExchangeRow[]> {
  return service.bench('bench.list_exchanges', query)
}

/** @param parts `body`, `path` or names of headers */
export function requireSame(
  exchanges: readonly ExchangeRow[],
  parts: readonly string[] | undefined,
): void {
  for (const part of parts ?? []) {
    const values = exchanges.map((exchange) =>
      part === 'body' || part === 'path' ? exchange[part] : exchange.headers[part.toLowerCase()],
    )
    const different = values.filter((value) => value !== values[0])
    const isMissing = values.includes(undefined)
    if (different.length === 0 && !isMissing) continue
    throw new Mismatch(`${part} is ${isMissing ? 'missing' : 'different'} in some requests.`, {
      expected: `the same in all ${exchanges.length} requests`,
      actual: values.map((value) => value ?? null),
    })
  }
}

const longestBody = 300

/** Describes an exchange for people: one line, followed by the bodies. */
export function describeExchange(exchange: ExchangeRow): string[] {
  const { at, operation, method, path, status, code, fault, body, response_body } = exchange
  const answer = status === null ? 'no answer' : `${status}${code === null ? '' : ` ${code}`}`
  const cause = fault === null ? '' : ' (fault)'
  const bodies = [
    ['sent', body],
    ['answered', response_body],
  ].filter(([, text]) => text !== '')
  return [
    `${at} ${operation ?? '-'} ${method} ${escapeToOneLine(path)} -> ${answer}${cause}`,
    ...bodies.map(([what, text = '']) => `  ${what} ${shorten(escapeToOneLine(text))}`),
  ]
}

export function shorten(text: string, longest = longestBody): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
