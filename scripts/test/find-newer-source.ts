import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bundle } from '../../bin/run-bundle.js'

/** @returns a source of the program that has changed since `npm run build`, or that was never built */
export async function findNewerSource(): Promise<string | undefined> {
  const builtAt = await stat(bundle).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  for (const folder of ['bin', 'commands', 'src']) {
    const names = await readdir(folder, { recursive: true })
    const sources = names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
    const times = await Promise.all(sources.map(async (path) => (await stat(path)).mtimeMs))
    const newer = sources.find((_, index) => (times[index] ?? 0) > builtAt)
    if (newer !== undefined) return newer
  }
  return undefined
}
