import type { OperationRunner } from '../operations/runner.ts'

/** The service, in this process or in another process. */
export interface Connection extends OperationRunner {
  backup(): AsyncIterable<Uint8Array>
  close(): Promise<void>
  /** Advice after a failed webhook; undefined if a running service sent the webhook. */
  readonly webhookAdvice?: string | undefined
}

/** A service in another process. */
export interface RunningConnection extends Connection {
  /** Address of the operator endpoint, as this program reaches it. */
  readonly address: string
  /** Calls any path of the operator endpoint. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>
}

/**
 * The service writes each row of a list on a separate line, so rows can be read as they arrive. A
 * list in another form is read as a whole.
 */
export async function* parseRows(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly unknown[]> {
  const decoder = new TextDecoder()
  let rest = ''
  let [isBegun, isEnded] = [false, false]
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    if (!isBegun) {
      if (!rest.startsWith(opening)) continue
      rest = rest.slice(opening.length)
      isBegun = true
    }
    const end = rest.lastIndexOf('\n')
    const lines = end === -1 ? [] : rest.slice(0, end).split('\n')
    rest = rest.slice(end + 1)
    isEnded ||= lines.at(-1) === closing
    const rows = lines
      .filter((line) => line !== closing)
      .map((line) => JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line))
    if (rows.length > 0) yield rows
  }
  if (!isBegun) yield JSON.parse(rest)
  else if (!isEnded) throw new SyntaxError('The list is incomplete.')
}

const [opening, closing] = ['[\n', ']']
