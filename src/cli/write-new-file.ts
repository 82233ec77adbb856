import { open, rm, writeFile } from 'node:fs/promises'
import { naming } from './files/naming.ts'

/** On the disk when it resolves; readable by its owner only. Returns how many bytes were written. */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content) await writeFile(file, chunk).catch(naming(path))
    await file.sync().catch(naming(path))
    return (await file.stat()).size
  } catch (error) {
    // Half a backup is worse than none.
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
