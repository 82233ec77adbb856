import { setImmediate as nextTurn } from 'node:timers/promises'
import { stop } from './serve/until-stopped.ts'

let fault: NodeJS.ErrnoException | undefined
const lostSecrets: string[] = []

/** Instead of oclif, which throws what is no EPIPE: the work would end in the middle, with a stack. */
export function watchOutput(): void {
  process.stdout.removeAllListeners('error').on('error', noteFault)
}

/** A service that cannot print its greeting is there all the same, and its log says where. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => {})
  }
}

function noteFault(error: NodeJS.ErrnoException): void {
  if (fault) return
  fault = error
  // What runs until it is stopped would go on, and nobody would hear of it.
  stop()
}

/** Waits until what was printed has gone on; false when nobody reads it any more, and there is no use in more. */
export async function isOutputRead(): Promise<boolean> {
  const { stdout } = process
  if (stdout.writableNeedDrain && !fault) {
    await new Promise<void>((resolve) => {
      const goOn = () => {
        for (const name of ['drain', 'error', 'close']) stdout.off(name, goOn)
        resolve()
      }
      for (const name of ['drain', 'error', 'close']) stdout.once(name, goOn)
    })
  }
  // The stream tells of a failure in a later turn.
  await nextTurn()
  return fault === undefined
}

/** @param sentence what was made, and how to come to another secret: said if this one was not shown */
export function noteSecret(sentence: string): void {
  lostSecrets.push(sentence)
}

/** What to tell people of what they were not shown; undefined when all of it was written. */
export async function describeLostOutput(): Promise<string | undefined> {
  // The stream tells of a failure in a later turn.
  await nextTurn()
  if (!fault || (isClosed(fault) && lostSecrets.length === 0)) return undefined
  const output = `The output could not be written: ${reasonOf(fault)}.`
  return [output, ...(lostSecrets.length > 0 ? lostSecrets : [unsecret])].join(' ')
}

const unsecret = 'What the command has changed stands.'

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE'
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (isClosed(error)) return 'nobody reads it any more'
  return error.code === 'ENOSPC' ? 'there is no room left on the disk where it goes' : error.message
}
