import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import type { Asked } from './requests.ts'

interface Session {
  readonly cookie: string
  readonly csrf: string
}

/** An operator who has the token of the service and has signed in to the console. */
export class OperatorClient {
  readonly #url: string
  readonly #token: string
  #session: Session = { cookie: '', csrf: '' }

  private constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  static async signIn(directory: string): Promise<OperatorClient> {
    const { url, token } = JSON.parse(readFileSync(join(directory, 'control.json'), 'utf8'))
    const client = new OperatorClient(url, token)
    const { headers } = await client.#send('/sign-in', { token }, 303)
    const [cookie = ''] = String(headers['set-cookie']).split(';')
    client.#session = { cookie, csrf: '' }
    // This page reads none of the measured data.
    const { text } = await client.#open('/live')
    client.#session = { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '' }
    return client
  }

  /** Returns the time until the answer has arrived. */
  async time(asked: Asked): Promise<number> {
    const startedAt = performance.now()
    const { page, operation, form } = asked
    if (page === undefined) await this.#ask(`/operations/${operation}`, asked.input)
    else if (form) await this.#send(page, { ...Object.fromEntries(form), ...this.#session }, 200)
    else await this.#open(page, asked.language)
    return performance.now() - startedAt
  }

  async #ask(path: string, input: object = {}): Promise<void> {
    await this.#request(path, {
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  }

  #open(page: string, language = 'en') {
    const { cookie } = this.#session
    return this.#request(page, { headers: { cookie, 'accept-language': language } })
  }

  #send(page: string, fields: Readonly<Record<string, string>>, expected: number) {
    const headers = {
      cookie: this.#session.cookie,
      origin: this.#url,
      'content-type': 'application/x-www-form-urlencoded',
    }
    return this.#request(page, { headers, body: new URLSearchParams(fields).toString() }, expected)
  }

  async #request(
    path: string,
    { headers, body }: { headers: Record<string, string>; body?: string },
    expected = 200,
  ) {
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await request(`${this.#url}${path}`, { method, headers, body: body ?? null })
    const text = await answer.body.text()
    if (answer.statusCode !== expected) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return { headers: answer.headers, text }
  }
}
