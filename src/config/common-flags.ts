// Common parts of the flags of all commands.
import { Errors } from '@oclif/core'
import { parseUrl } from '../domain/text.ts'
import { parseDuration } from '../domain/timestamp.ts'

/** The exit code of wrong usage. */
export const usageExitCode = 2

/** The error for wrong usage, or for a wrong value in the variable of a flag. */
export function invalid(message: string): Errors.CLIError {
  return new Errors.CLIError(message, { exit: usageExitCode })
}

/**
 * Flags that say where the store or the service is. Help explains them once, on a separate page.
 */
export const connectionGroup = 'CONNECTION'
export const eventGroup = 'EVENTS AND E-MAIL'
export const backupGroup = 'BACKUPS'
export const limitGroup = 'LIMITS'
export const benchGroup = 'BENCH (STAGING ONLY)'

interface Flag {
  readonly env?: string | undefined
}

/** Each setting of `serve` also has a variable: COOPSHARE_PORT sets --port. */
export function withVariables<Flags extends Readonly<Record<string, Flag>>>(flags: Flags): Flags {
  const named = Object.entries(flags).map(([name, flag]) => {
    const env = `COOPSHARE_${name.toUpperCase().replaceAll('-', '_')}`
    return [name, { ...flag, env }]
  })
  return Object.fromEntries(named) as Flags
}

/**
 * Paths are appended to the result, so it ends without a slash.
 * @param name of the flag or argument
 */
export function parseServiceUrl(name: string, text: string): string {
  const url = requireHttpUrl(name, text, ['user', 'password', 'query', 'fragment'])
  return url.href.replace(/\/+$/, '')
}

/** Partners find the metadata of the issuer, the contract and `/v1` at the root of a host only. */
export function parseOwnUrl(name: string, text: string): string {
  const { origin, pathname } = new URL(parseServiceUrl(name, text))
  if (pathname === '/') return origin
  throw invalid(
    `${name} must be an address without a path, such as ${origin}. The paths of the API, such as /v1 and /.well-known, begin at the root of its host, so it needs a host name of its own.`,
  )
}

/** A receiver may be identified by a query. */
export function parseReceiverUrl(name: string, text: string): string {
  return requireHttpUrl(name, text, ['user', 'password', 'fragment']).href
}

const parts = {
  user: ({ username }: URL) => username !== '',
  password: ({ password }: URL) => password !== '',
  // URL.search is empty for an empty query, too.
  query: ({ href }: URL) => href.replace(/#.*/s, '').includes('?'),
  fragment: ({ href }: URL) => href.includes('#'),
}

function requireHttpUrl(name: string, text: string, refused: readonly (keyof typeof parts)[]): URL {
  const url = parseUrl(text)
  if (url && /^https?:$/.test(url.protocol) && !refused.some((part) => parts[part](url))) return url
  // The message leaves the address out because it may contain a password.
  const list = new Intl.ListFormat('en-GB').format(refused)
  throw invalid(`${name} must be an http or https address without ${list}.`)
}

/** An empty text is usually a variable that was never set, and would mean the working directory. */
export function parseDirectory(flag: string, text: string): string {
  if (text !== '') return text
  throw invalid(`--${flag} is empty. Give a directory.`)
}

const longestWaitSeconds = 3600

/** In seconds. */
export function parseWait(text: string): number {
  const seconds = (parseDuration(text) ?? 0) / 1000
  if (seconds > 0 && seconds <= longestWaitSeconds) return seconds
  throw invalid(`"${text}" is not a time from 1ms to 60m, for example 500ms, 30s or 2m.`)
}

/** More attempts would only add to the load of a receiver that is down. */
const maximumWaits = 20
const longestScheduledSeconds = 7 * 24 * 60 * 60

/** The waits between attempts, in seconds. */
export function parseSchedule(flag: string, text: string): readonly number[] {
  const waits = text.split(',').map((part) => (parseDuration(part.trim()) ?? 0) / 1000)
  const areFit = waits.every((wait) => wait > 0 && wait <= longestScheduledSeconds)
  if (areFit && waits.length <= maximumWaits) return waits
  throw invalid(
    `--${flag} must be up to ${maximumWaits} waits from 1ms to 7d, separated by commas, for example 30s,2m,10m,1h,6h, not "${text}".`,
  )
}
