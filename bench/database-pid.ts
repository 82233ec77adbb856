import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the process id of the PostgreSQL server on this machine that listens on the port of
 * `url`.
 */
export function databasePid(url: string): number {
  const wanted = Number(new URL(url).port)
  const found = readdirSync('/proc').find((name) => /^\d+$/.test(name) && listensOn(name, wanted))
  if (found === undefined) throw new Error(`No PostgreSQL server listens on ${wanted}.`)
  return Number(found)
}

function listensOn(pid: string, port: number): boolean {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return /postgres$/.test(argv[0] ?? '') && argv[argv.indexOf('-p') + 1] === String(port)
  } catch {
    // The process has ended since it was listed.
    return false
  }
}
