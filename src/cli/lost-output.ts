import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Output } from '../operations/operations.ts'
import type { WireFixtureFile } from '../wire/fixture-file.ts'
import { requestStop } from './stop-signal.ts'

let fault: NodeJS.ErrnoException | undefined
const lostSecrets: string[] = []

/** oclif would throw any fault but EPIPE, and the command would end in the middle of its work. */
export function watchOutput(): void {
  process.stdout.removeAllListeners('error').on('error', (error) => {
    if (fault) return
    fault = error
    // A command that runs until it is stopped would continue although nobody reads its output.
    requestStop()
  })
}

/** A service that cannot print its greeting keeps running; its log has the addresses, too. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => {})
  }
}

/** Waits until stdout has taken everything; false if nobody reads it any more. */
export async function isOutputRead(): Promise<boolean> {
  const { stdout } = process
  if (stdout.writableNeedDrain && !fault) {
    await new Promise<void>((resolve) => {
      const resume = () => {
        for (const name of ['drain', 'error', 'close']) stdout.off(name, resume)
        resolve()
      }
      for (const name of ['drain', 'error', 'close']) stdout.once(name, resume)
    })
  }
  // The stream reports a failure in a later turn of the event loop.
  await nextTurn()
  return fault === undefined
}

/** @param sentence printed if the secret was not shown: what exists now, and how to get another secret */
function noteSecret(sentence: string): void {
  lostSecrets.push(sentence)
}

/** undefined if everything was written. */
export async function describeLostOutput(): Promise<string | undefined> {
  // The stream reports a failure in a later turn of the event loop.
  await nextTurn()
  if (!fault || (isClosed(fault) && lostSecrets.length === 0)) return undefined
  const output = `The output could not be written: ${reasonOf(fault)}.`
  return [output, ...(lostSecrets.length > 0 ? lostSecrets : [changesStand])].join(' ')
}

const changesStand = 'The changes that the command made are kept.'

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE'
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (isClosed(error)) return 'nothing reads it any more'
  return error.code === 'ENOSPC' ? 'there is no space left on the disk' : error.message
}

export function noteClientSecret({ client_id }: { readonly client_id: string }): void {
  noteSecret(
    `The client ${client_id} was created, but its secret is lost. Run "coopshare client rotate-secret ${client_id}" to get another one.`,
  )
}

/** A client has at most two secrets, so the lost one must go first. */
export function noteSecondClientSecret({
  client_id,
  secret_id,
}: {
  readonly client_id: string
  readonly secret_id: string
}): void {
  noteSecret(
    `The client ${client_id} now has the secret ${secret_id}, but the secret is lost. Run "coopshare client revoke-secret ${client_id} ${secret_id}", then rotate again.`,
  )
}

export function noteSigningSecret(endpoint: { readonly webhook_endpoint_id: string }): void {
  const id = endpoint.webhook_endpoint_id
  noteSecret(
    `The webhook endpoint ${id} has a new signing secret, but the secret is lost. Run "coopshare webhook rotate-secret ${id}" to get another one.`,
  )
}

/** A secret from a fixture file is not lost. */
export function noteAppliedSecrets(
  { clients, webhooks }: Output<'fixtures.apply'>,
  { organizations }: WireFixtureFile,
): void {
  const fixtures = organizations?.flatMap((organization) => organization.clients ?? [])
  const named = new Set(fixtures?.map(({ client_secret }) => client_secret))
  for (const client of clients) if (!named.has(client.client_secret)) noteClientSecret(client)
  webhooks.forEach(noteSigningSecret)
}
