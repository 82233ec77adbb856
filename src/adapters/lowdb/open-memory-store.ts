import { Low, Memory } from 'lowdb'
import { LowdbStore } from './lowdb-store.ts'
import { createStoreData, type StoreData } from './store-data.ts'

/** The file store without the file: for tests. */
export function openMemoryStore(): LowdbStore {
  return new LowdbStore(new Low<StoreData>(new Memory<StoreData>(), createStoreData()))
}
