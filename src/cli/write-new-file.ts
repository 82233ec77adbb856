import { dirname } from 'node:path'
import { createFile, syncDirectory } from '../open-service/disk.ts'

/**
 * On the disk when it resolves; readable by its owner only. Half a backup would be worse than none, so none is left when
 * writing fails. Returns how many bytes were written.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  const bytes = await createFile(path, content).catch((error) => {
    throw Object.assign(error, { isNew: true })
  })
  await syncDirectory(dirname(path))
  return bytes
}
