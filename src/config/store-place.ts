import { resolve } from 'node:path'
import {
  type DatabaseConfig,
  type DatabaseFlags,
  databaseConfigOf,
  parseDatabaseUrl,
} from './database-flags.ts'
import { invalid } from './flag-groups.ts'

export type StorePlace = { readonly directory: string } | { readonly database: DatabaseConfig }

const address = /^(postgres(ql)?:|[a-z][a-z\d+.-]*:\/\/)/i

/** An empty text is usually a variable that was never set, and would mean the working directory. */
export function parseDirectory(flag: string, text: string): string {
  if (text !== '') return text
  throw invalid(`--${flag} is empty. Give a directory.`)
}

/** @param text the address of a database, or a path */
export function storePlaceOf(text: string, flags: DatabaseFlags): StorePlace {
  if (!address.test(text)) return { directory: resolve(parseDirectory('to', text)) }
  const database = databaseConfigOf({ ...flags, 'database-url': parseDatabaseUrl(text) })
  if (!database) throw new Error('The address has no database.')
  return { database }
}

/** The result contains no user and no password. */
export function describePlace(place: StorePlace): string {
  if ('directory' in place) return place.directory
  const { host, pathname } = new URL(place.database.url)
  return `postgres://${host}${pathname}`
}
