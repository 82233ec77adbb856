import type { H3Event } from 'h3'
import { Problem } from '../domain/problem.ts'
import { maximumBodyBytes, parseJson, readBytes, requireJson } from './read-json.ts'

/** For a route that takes no body. Clients that cannot send nothing send `{}`; a field is refused as everywhere. */
export async function readNoBody(event: H3Event): Promise<void> {
  const bytes = await readBytes(event, maximumBodyBytes)
  if (bytes.byteLength === 0) return
  requireJson(event)
  const body = parseJson(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('MALFORMED_REQUEST_BODY', 'This request takes no body.')
  }
  const [unknown] = Object.keys(body)
  if (unknown !== undefined) {
    throw new Problem('MALFORMED_REQUEST_BODY', `Unknown field: ${unknown}.`)
  }
}
