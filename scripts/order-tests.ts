// Tap runs files in the order of their names, so that those that take longest would begin whenever the alphabet says.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

// Those that wait, for leases, timeouts and databases, between those that compute, so that there is something to do meanwhile.
const first: readonly string[] = [
  ...['kill-rounds-postgres-js-through', 'adapters-part-2', 'clocks-apart', 'adapters-part-3'],
  ...['kill-rounds-postgres', 'usecases', 'database-faults', 'adapters-part-1'],
  ...['adapters-through', 'http-part-4-on', 'stopped-instance', 'http-part-2-on'],
  ...['listener', 'released-stores', 'cli-part-1', 'http-part-1-on', 'contract-verify-values'],
  ...['cli-part-2', 'http-part-3-on', 'readme', 'instances-js-through', 'kill-rounds-directory'],
  ...['drain', 'commands/files', 'deliveries', 'all-of-test-contract', 'webhooks', 'store-moved'],
  ...['listen-again', 'contract-verify', 'refused-starts', 'commands/store', 'build', 'http-part'],
]

const order = /^\d{3}-/

/** @returns a module for each entry, by whose name its turn comes */
export async function orderEntries(
  directory: string,
  entries: readonly string[],
): Promise<string[]> {
  const sorted = entries.toSorted((left, right) => turnOf(left) - turnOf(right))
  return Promise.all(sorted.map((entry, turn) => enterAt(directory, entry, turn)))
}

/** As it was named before its turn was. */
export function withoutTurn(path: string): string {
  return path.replace(order, '')
}

function turnOf(entry: string): number {
  const turn = first.findIndex((words) => entry.includes(words))
  return turn < 0 ? first.length : turn
}

async function enterAt(directory: string, entry: string, turn: number): Promise<string> {
  const number = String(turn).padStart(3, '0')
  const path = join(directory, `${number}-${relative(directory, entry)}`)
  await mkdir(dirname(path), { recursive: true })
  const from = relative(dirname(path), entry)
  await writeFile(path, `import '${from.startsWith('.') ? from : `./${from}`}'\n`)
  return path
}
