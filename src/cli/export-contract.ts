import { stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { publishedFiles } from '../contract/published-files.ts'
import { makeDirectory } from '../machine/durable-files.ts'
import { signatureVectorsFile } from '../wire/signature-vectors.ts'
import { rethrowWithPath } from './files/read-file.ts'

/** @returns the files, under the paths at which the service serves them */
export async function exportContract(directory: string): Promise<string[]> {
  const published = [...publishedFiles(), signatureVectorsFile()]
  const files = published.map(({ path, text }) => ({ file: join(directory, path), text }))
  // Paths are checked before any file is written, because half an export is worse than none.
  for (const { file } of files) await makeDirectory(dirname(file))
  for (const { file } of files) await refuseFolder(file)
  for (const { file, text } of files) await writeFile(file, text).catch(rethrowWithPath(file))
  return files.map(({ file }) => file)
}

async function refuseFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return
  throw Object.assign(new Error(`${path} is a directory.`), { code: 'EISDIR', path })
}
