import { resolve } from 'node:path'
import {
  type DatabaseConfig,
  type DatabaseFlags,
  databaseConfigOf,
  parseDatabaseUrl,
} from './database-flags.ts'
import { invalid } from './invalid.ts'

/** Where a store is, or will be. */
export type StorePlace = { readonly directory: string } | { readonly database: DatabaseConfig }

const address = /^(postgres(ql)?:|[a-z][a-z\d+.-]*:\/\/)/i

/** Usually a variable of a script that was never set: it would be the working directory. */
export function parseDirectory(flag: string, text: string): string {
  if (text !== '') return text
  throw invalid(`--${flag} is empty. Name a directory.`)
}

/** Of an address of a database or a path; how to reach databases, the flags say for all alike. */
export function storePlaceOf(text: string, flags: DatabaseFlags): StorePlace {
  if (!address.test(text)) return { directory: resolve(parseDirectory('to', text)) }
  const database = databaseConfigOf({ ...flags, 'database-url': parseDatabaseUrl(text) })
  if (!database) throw new Error('An address makes a database.')
  return { database }
}

/** For people: without a user and a password. */
export function describePlace(place: StorePlace): string {
  if ('directory' in place) return place.directory
  const { host, pathname } = new URL(place.database.url)
  return `postgres://${host}${pathname}`
}
