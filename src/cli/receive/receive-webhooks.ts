import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Errors } from '@oclif/core'
import { exitCodes } from '../exit-codes.ts'
import { readAtMost } from '../read-at-most.ts'
import { untilStopped } from '../serve/until-stopped.ts'
import { secondsNow } from '../signature/arguments.ts'
import { diagnoseSignature } from '../signature/diagnose-signature.ts'
import { mostBodyBytes } from '../signature/read-body.ts'
import type { SignatureFault } from '../signature/signature-fault.ts'

export interface Receiving {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly secret: string
  readonly toleranceSeconds: number
  /** What a webhook with a good signature is answered. */
  readonly goodStatus: number
  readonly greet: (url: string) => void
  readonly report: (received: Received) => void
}

export interface Received {
  readonly faults: readonly SignatureFault[]
  readonly status: number
  readonly body: Buffer
}

/** Takes webhooks until the process is told to stop. */
export async function receiveWebhooks(receiving: Receiving): Promise<void> {
  const stopped = untilStopped()
  const server = createServer((request, response) => {
    // Whoever has hung up in the middle of a body gets no answer.
    answer(request, response, receiving).catch(() => response.destroy())
  })
  receiving.greet(await listen(server, receiving))
  await stopped
  server.close()
  server.closeAllConnections()
}

async function listen(server: Server, { host, port }: Receiving): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw unavailable(`${host}:${port}`, error)
  })
  const { address, family, port: taken } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

function unavailable(place: string, { code, message }: NodeJS.ErrnoException): Error {
  const reason = code === 'EADDRINUSE' ? 'the port is taken' : message
  return new Errors.CLIError(`Cannot listen on ${place}: ${reason}. Choose another --port.`, {
    code: 'PORT_UNAVAILABLE',
    exit: exitCodes.unreachable,
  })
}

async function answer(request: IncomingMessage, response: ServerResponse, receiving: Receiving) {
  if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end()
  const body = await readAtMost(request, mostBodyBytes)
  if (!body) return response.writeHead(413, { connection: 'close' }).end()
  const { secret, toleranceSeconds, goodStatus, report } = receiving
  const header = String(request.headers['x-service-webhook-signature'] ?? '')
  const given = { secret, header, body, toleranceSeconds, atSeconds: secondsNow() }
  const { isValid, faults } = diagnoseSignature(given)
  const status = isValid ? goodStatus : 401
  response.writeHead(status).end()
  report({ faults, status, body })
}
