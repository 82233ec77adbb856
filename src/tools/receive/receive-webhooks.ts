import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { commandError } from '../../cli/errors.ts'
import { readAtMost } from '../../cli/files/read-file.ts'
import { waitForStopSignal } from '../../cli/stop-signal.ts'
import { escapeToOneLine } from '../../domain/text.ts'
import { bool, count, listOf, plain, text, view } from '../../wire/view.ts'
import { maximumBodyBytes, secondsNow } from '../signature/arguments.ts'
import { diagnoseSignature } from '../signature/diagnose-signature.ts'
import { type SignatureFault, signatureFault } from '../signature/parse-signature.ts'

export interface Receiving {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly secret: string
  readonly toleranceSeconds: number
  /** Answer to a webhook with a valid signature. */
  readonly statusIfValid: number
  readonly greet: (url: string) => void
  readonly report: (received: Received) => void
}

export interface Received {
  readonly faults: readonly SignatureFault[]
  readonly status: number
  readonly body: Buffer
}

/** Runs until the process gets a signal. */
export async function receiveWebhooks(receiving: Receiving): Promise<void> {
  const stopped = waitForStopSignal()
  const server = createServer((request, response) => {
    // The sender may have hung up before the end of the body.
    answer(request, response, receiving).catch(() => response.destroy())
  })
  receiving.greet(await listen(server, receiving))
  await stopped
  server.close()
  server.closeAllConnections()
}

async function listen(server: Server, { host, port }: Receiving): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening').catch(({ code, message }: NodeJS.ErrnoException) => {
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : message
    throw commandError(
      'PORT_UNAVAILABLE',
      `Cannot listen on ${host}:${port}: ${reason}. Use another --port.`,
    )
  })
  const { address, family, port: taken } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

async function answer(request: IncomingMessage, response: ServerResponse, receiving: Receiving) {
  if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end()
  const read = await readWebhook(request, receiving)
  if (!read) return response.writeHead(413, { connection: 'close' }).end()
  const status = read.isValid ? receiving.statusIfValid : 401
  response.writeHead(status).end()
  receiving.report({ faults: read.faults, status, body: read.body })
}

/** Reads a webhook and checks its signature; undefined if the body is too large. */
export async function readWebhook(
  request: IncomingMessage,
  trust: Pick<Receiving, 'secret' | 'toleranceSeconds'>,
) {
  const body = await readAtMost(request, maximumBodyBytes)
  if (!body) return undefined
  const { secret, toleranceSeconds } = trust
  const header = String(request.headers['x-service-webhook-signature'] ?? '')
  const given = { secret, header, body, toleranceSeconds, atSeconds: secondsNow() }
  return { body, ...diagnoseSignature(given) }
}

/** The body of a webhook with an invalid signature could contain anything, so it is not shown. */
export function describeReceived({ faults, body }: Received): string {
  if (faults.length === 0) return `genuine ${escapeToOneLine(String(body))}`
  return `forged ${faults.map(({ detail }) => detail).join(' ')}`
}

export const receiverAddress = plain('Receiver address', { url: text('URL of the receiver.') })

export const receivedWebhook = view<Received>()('Received webhook', {
  genuine: bool('Whether the signature is valid.', (it) => it.faults.length === 0),
  faults: listOf(signatureFault, 'What is wrong with the signature.', (it) => it.faults),
  status: count('HTTP status of the answer.', (it) => it.status),
  body: text('Body of the webhook.', (it) => String(it.body)),
})
