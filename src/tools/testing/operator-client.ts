/** An answer of the service that is an error. */
export class CoopshareError extends Error {
  override readonly name = 'CoopshareError'
  readonly status: number
  /** The code of the problem. */
  readonly code: string

  constructor({ status, code, message }: { status: number; code: string; message: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface OperatorAddress {
  readonly url: string
  readonly token: string
}

/** Calls the operator endpoint as a program in any language does. */
export class OperatorClient {
  readonly #address: OperatorAddress

  constructor(address: OperatorAddress) {
    this.#address = address
  }

  get<Result>(path: string): Promise<Result> {
    return this.#send('GET', path)
  }

  post<Result>(path: string, body: object = {}): Promise<Result> {
    return this.#send('POST', path, body)
  }

  delete(path: string): Promise<void> {
    return this.#send('DELETE', path)
  }

  operation<Result>(name: string, input: object = {}): Promise<Result> {
    return this.post(`/operations/${encodeURIComponent(name)}`, input)
  }

  async #send<Result>(method: string, path: string, body?: object): Promise<Result> {
    const { url, token } = this.#address
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${url}${path}`, init)
    const text = await answer.text()
    const parsed = text === '' ? undefined : JSON.parse(text)
    if (answer.ok) return parsed
    const { status } = answer
    const problem: {
      readonly code?: string
      readonly detail?: string
      readonly title?: string
      readonly errors?: Readonly<Record<string, string>>
    } = parsed ?? {}
    const { code, detail, title, errors = {} } = problem
    const fields = Object.entries(errors).map(([field, fault]) => `\n  ${field}: ${fault}`)
    const message = `${detail ?? title ?? `The service answered ${status}.`}${fields.join('')}`
    throw new CoopshareError({ status, code: code ?? String(status), message })
  }
}
