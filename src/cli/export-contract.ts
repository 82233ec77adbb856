import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { publishedFiles } from '../contract/published-files.ts'

/** Writes the published contract below a directory, as the service has it below its address. Returns the files. */
export async function exportContract(directory: string): Promise<string[]> {
  const files: string[] = []
  for (const { path, text } of publishedFiles()) {
    const file = join(directory, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    files.push(file)
  }
  return files
}
