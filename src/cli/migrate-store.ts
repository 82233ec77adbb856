import type { Config } from '../config.ts'
import { migrateDatabase } from '../open-service.ts'

/** Returns the names of the migrations that were lacking. A directory has none: its form is told by its files. */
export async function migrateStore({ database }: Config): Promise<readonly string[]> {
  return database ? migrateDatabase(database) : []
}
