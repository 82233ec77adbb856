import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readAtMost } from '../files/read-file.ts'
import { mostBodyBytes, secondsNow } from '../signature/arguments.ts'
import { diagnoseSignature } from '../signature/diagnose-signature.ts'

/** Takes the webhooks of a scenario that names no receiver. */
export interface BuiltInReceiver {
  readonly url: string
  /** The secret with which signatures are checked. */
  trust(secret: string): void
  /** What events with a valid signature get from now on. */
  answerWith(status: number, times?: number): void
  close(): void
}

const [accepted, refused] = [204, 401]

interface Trust {
  /** Largest accepted age of a signature. */
  readonly toleranceSeconds: number
}

export async function startBuiltInReceiver({ toleranceSeconds }: Trust): Promise<BuiltInReceiver> {
  let secret = ''
  let status = accepted
  let left = Number.POSITIVE_INFINITY
  const isGenuine = async (request: IncomingMessage) => {
    const body = await readAtMost(request, mostBodyBytes)
    const header = String(request.headers['x-service-webhook-signature'] ?? '')
    const given = { secret, header, toleranceSeconds, atSeconds: secondsNow() }
    return body !== undefined && diagnoseSignature({ ...given, body }).isValid
  }
  const statusFor = async (request: IncomingMessage) => {
    if (!(await isGenuine(request))) return refused
    if (left === 0) return accepted
    left -= 1
    return status
  }
  const server = createServer((request, response) => {
    statusFor(request).then(
      (answer) => response.writeHead(answer).end(),
      // The sender has hung up.
      () => response.destroy(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    trust(next) {
      secret = next
    },
    answerWith(next, times = Number.POSITIVE_INFINITY) {
      status = next
      left = times
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
