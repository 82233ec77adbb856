// What partners see of the service is tested on both engines, by the same files: a second entry into each names the other one.
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { startDatabaseServer } from '../fixtures/postgres/server.ts'
import { engineVariable, serverVariable } from '../fixtures/postgres/variables.ts'

// The reference page looks at no store, and the faults are those of a disk and of a body that no text column takes.
const onBothEngines = /\/test\/(http\/(?!reference-page)|usecases\/webhooks\/(?!faults))/

/** @returns the entries, beside the bundles that they enter */
export function enterOnPostgres(bundles: readonly string[]): Promise<string[]> {
  return Promise.all(bundles.filter((bundle) => onBothEngines.test(bundle)).map(enter))
}

async function enter(bundle: string): Promise<string> {
  const entry = bundle.replace(/\.js$/, '.on-postgres.js')
  const lines = [
    `process.env['${engineVariable}'] = 'postgres'`,
    `await import('./${basename(bundle)}')`,
  ]
  await writeFile(entry, `${lines.join('\n')}\n`)
  return entry
}

/** Runs `work` with a server that all test files share, unless there is one already. */
export async function withDatabaseServer<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.env[serverVariable]) return work()
  const server = await startDatabaseServer()
  process.env[serverVariable] = server.url
  try {
    return await work()
  } finally {
    await server.stop()
  }
}
