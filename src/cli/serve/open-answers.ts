import type { ServerResponse } from 'node:http'

/** Which answers are still to come: when the server ends, each of them is the last one of its connection. */
export class OpenAnswers {
  readonly #open = new Set<ServerResponse>()
  #isEnding = false

  begin(response: ServerResponse): void {
    if (this.#isEnding) endConnection(response)
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  /** A client that would go on with its connection would otherwise be cut off in the middle of a request. */
  end(): void {
    this.#isEnding = true
    for (const response of this.#open) endConnection(response)
  }
}

/** RFC 9112 9.6: `Connection: close`. */
function endConnection(response: ServerResponse): void {
  response.shouldKeepAlive = false
}
