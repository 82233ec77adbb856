import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A partner's machine: `/refusing` takes nothing, everything else is taken. */
export async function startReceiver(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/refusing' ? 500 : 204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

/** It takes no mail: a server that is away would be our own fault, which uses up no attempt. */
export interface MailServer {
  readonly options: readonly string[]
  refuseWith(status: number): void
  stop(): void
}

export async function startMailServer(): Promise<MailServer> {
  let responseCode = 550
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, answer) =>
      answer(Object.assign(new Error('No such mailbox'), { responseCode })),
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    options: ['--smtp-url', `smtp://127.0.0.1:${port}`, '--mail-from', 'coop@mail.example'],
    refuseWith: (status) => {
      responseCode = status
    },
    stop: () => server.close(),
  }
}
