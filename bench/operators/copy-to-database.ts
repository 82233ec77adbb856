import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startDatabaseServer } from '../../fixtures/postgres/server.ts'

const program = join(import.meta.dirname, '..', '..', 'bin', 'run.js')

/**
 * Copies the store in a directory to a new database server, with the command that operators use.
 */
export async function copyToDatabase(data: string) {
  const { url, stop } = await startDatabaseServer([])
  const command = [program, 'store', 'copy', '--data-dir', data, '--json']
  const env = { ...process.env, COOPSHARE_COPY_TO: url }
  const said = execFileSync(process.execPath, command, { env, encoding: 'utf8', stdio: 'pipe' })
  const { encryption_key_file: keyFile } = JSON.parse(said)
  const flagsFor = (address: string) => [
    ...['--database-url', address, '--encryption-key-file', keyFile],
  ]
  return { url, stop, flagsFor }
}
