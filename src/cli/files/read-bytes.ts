import { readFile } from 'node:fs/promises'
import { naming } from './naming.ts'

/** As readFile, but an error always says which file: for a folder, the system itself does not. */
export async function readBytes(path: string): Promise<Buffer> {
  return readFile(path).catch(naming(path))
}
