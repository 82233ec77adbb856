import * as http from 'node:http'
import * as https from 'node:https'

export interface EventToPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Resolves with the status. Does not use `fetch`, which closes the connection at a `100 Continue` and refuses answers
 * that the service accepts.
 */
export function postEvent(url: string, { headers, body }: EventToPost): Promise<number> {
  const client = url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, insecureHTTPParser: true }
    const call = client.request(url, options, (answer) => {
      answer.resume().on('error', reject)
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    call.on('error', reject).end(body)
  })
}
