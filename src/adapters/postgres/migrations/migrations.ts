import { schema } from './0001-schema.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [{ name: '0001-schema', sql: schema }]
