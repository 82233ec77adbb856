import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'

// The time is long enough for a compaction, and for a large statement on a busy machine.
const headersTimeout = 600_000
const bodyTimeout = headersTimeout

/** Asks the operator API of the service on this directory. */
export async function askOperator(
  directory: string,
  method: 'GET' | 'POST',
  path: string,
  input: object = {},
): Promise<string> {
  const { url, token } = JSON.parse(readFileSync(join(directory, 'control.json'), 'utf8'))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = method === 'POST' ? JSON.stringify(input) : null
  const answer = await request(`${url}${path}`, {
    method,
    headers,
    body,
    headersTimeout,
    bodyTimeout,
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${path}: ${text}`)
  return text
}

/** Reads one figure of the metrics, by name and labels. */
export async function readMetric(directory: string, series: string): Promise<number> {
  const metrics = await askOperator(directory, 'GET', '/metrics')
  const line = metrics.split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.slice(series.length))
}
